//! Small documents, whole: what a reader of the Markdown sees.

use std::path::Path;

use super::{convert, converters};

fn markdown(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/documents");
    convert(&converters(), &folder.join(name)).unwrap().markdown
}

#[test]
fn slides_with_notes_a_table_and_a_chart() {
    insta::assert_snapshot!(markdown("python-pptx-trial.pptx"), @r"
    # Field trial of the drone

    Report of the second week

    ## What was tested

    - Range over open water
      - Signal lost at 4.2 kilometers
        - Antenna was wet
    - Landing in side wind
    - 夜间飞行测试

    > Thank the coast guard for the boat.

    ## Battery by temperature

    | Celsius | Minutes | Cells |
    | --- | --- | --- |
    | -5 | 17 | 6S |
    | 20 | 31 | 6S \| spare |

    ## Flights per week

    |  | Day | Night |
    | --- | --- | --- |
    | Week one | 14 | 3 |
    | Week two | 22 | 9 |
    ");
    // LibreOffice wrote the same presentation again.
    assert_eq!(markdown("libreoffice-trial.odp"), markdown("python-pptx-trial.pptx"));
}

#[test]
fn a_mail_with_a_page_and_something_attached() {
    insta::assert_snapshot!(markdown("python-mail-offer.eml"), @r"
    # Wärmepumpe: offer and dates

    - From: Zoë Álvarez \<zoe@example.org>
    - To: team@example.org, Kim \<kim@example.org>
    - Date: 2025-03-04T08:12:00+01:00
    - Attachment: Angebot Wärmepumpe.pdf

    Hello all,

    the heat pump arrives on the **eleventh of March**.

    - Please clear the cellar
    - Keep the dog away

    | Part | Price |
    | --- | --- |
    | Pump | 8,900 |

    Grüße\
    Zoë
    ");
}

#[test]
fn a_workbook_with_dates_and_merged_cells() {
    insta::assert_snapshot!(markdown("openpyxl-stock.xlsx"), @r"
    ## Stock

    | Part | Count | Price | Delivered | Checked |
    | --- | --- | --- | --- | --- |
    | Bolt M6 | 1200 | 0.05 | 2025-03-14 | TRUE |
    | Gear \| left | 14 | 31.5 | 2025-04-02 09:30 | FALSE |
    | 轴承 |  | 7.25 | 2024-12-31 | TRUE |
    | Belt (spare) | 3 | 12 |  |  |

    ## Suppliers

    | Name | City |
    | --- | --- |
    | Ferro & Sons | Porto |
    | <Lager> | Łódź |
    | Both deliver on Mondays |  |
    ");
}

#[test]
fn a_text_with_a_footnote_and_code() {
    let markdown = markdown("libreoffice-report.odt");
    let (_, end) = markdown.split_once("# How the figures were computed").unwrap();
    insta::assert_snapshot!(end.trim(), @r#"
    The counts come from the gate log:

    ```
    def ships(log):
        return sum(1 for entry in log if entry.kind == "arrival")
    ```

    > Figures of single days are preliminary.

    [^1]: The move took place on the second of August.
    "#);
}

#[test]
fn a_book_in_the_order_of_its_chapters() {
    insta::assert_snapshot!(markdown("ebooklib-logs.epub"), @r"
    # Winter

    The lamp froze twice before *Epiphany*.

    ## Repairs

    - Glass of the lantern
      - Two panes
    - Rope of the bell

    # Spring

    Ships came late this year.

    | Ship | Day |
    | --- | --- |
    | Aurora | 14 |
    | Petrel | 19 |

    # 夏

    海面平静,灯塔看守人写了很多信。
    ");
}

#[test]
fn a_pdf_in_two_columns() {
    let markdown = markdown("tex-bees.pdf");
    let headings: Vec<_> = markdown.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(
        headings,
        [
            "# On the keeping of bees in cities",
            "## 1 Introduction",
            "## 2 Method",
            "### 2.1 Hives and scales",
            "### 2.2 Sites",
            "## 3 Results",
            "## 4 Conclusion",
        ]
    );
    assert!(markdown.contains("| Railway | 19 | 511 |"), "{markdown}");
}
