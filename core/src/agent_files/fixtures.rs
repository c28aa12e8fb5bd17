//! Files of agents as people and programs write them, for the tests: name and text.

/// Whole files of JSON without comments.
pub(super) const JSON: &[(&str, &str)] = &[
    ("empty", ""),
    ("blank", " \n\n"),
    ("only the mark", "\u{feff}"),
    ("an empty object", "{}"),
    ("an empty object, a line", "{}\n"),
    ("an empty object, open", "{\n}\n"),
    ("an empty object, blank inside", "{ }"),
    ("one key", "{\n  \"theme\": \"dark\"\n}\n"),
    ("no final line end", "{\n  \"theme\": \"dark\"\n}"),
    ("many final line ends", "{\n  \"theme\": \"dark\"\n}\n\n\n"),
    ("four spaces", "{\n    \"theme\": \"dark\",\n    \"n\": [1, 2]\n}\n"),
    ("tabs", "{\n\t\"theme\": \"dark\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n"),
    ("minified", r#"{"theme":"dark","hooks":{"SessionStart":[]},"n":[1,2]}"#),
    ("minified with servers", r#"{"mcpServers":{"a":{"command":"a"}},"b":1}"#),
    ("on one line", r#"{ "theme": "dark", "mcpServers": { "a": { "command": "a" } } }"#),
    ("carriage returns", "{\r\n  \"theme\": \"dark\"\r\n}\r\n"),
    (
        "carriage returns and a mark",
        "\u{feff}{\r\n  \"hooks\": {\r\n    \"SessionStart\": []\r\n  }\r\n}\r\n",
    ),
    ("mixed line ends", "{\n  \"a\": 1,\r\n  \"b\": 2,\n  \"c\": 3\r\n}\n"),
    ("a mark", "\u{feff}{\n  \"theme\": \"dark\"\n}\n"),
    ("empty servers", "{\n  \"mcpServers\": {}\n}\n"),
    ("open empty servers", "{\n  \"mcpServers\": {\n  }\n}\n"),
    (
        "servers in the middle",
        "{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"x\": { \"command\": \"x\", \"args\": [] }\n  },\n  \"z\": null\n}\n",
    ),
    (
        "hooks of others",
        "{\n  \"hooks\": {\n    \"SessionStart\": [\n      { \"hooks\": [ { \"type\": \"command\", \"command\": \"echo hi\" } ] }\n    ],\n    \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"beep\" } ] } ]\n  }\n}\n",
    ),
    (
        "hooks of others, pretty",
        "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"matcher\": \"startup\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"x\",\n            \"timeout\": 1\n          }\n        ]\n      }\n    ]\n  }\n}\n",
    ),
    ("empty hooks", "{\n  \"hooks\": {}\n}"),
    ("an empty list of hooks", "{\n  \"hooks\": {\n    \"SessionStart\": [\n    ]\n  }\n}\n"),
    (
        "flat hooks",
        "{\n  \"version\": 1,\n  \"hooks\": {\n    \"sessionStart\": [\n      { \"command\": \"./mine.sh\" }\n    ]\n  }\n}\n",
    ),
    ("comma first", "{\n  \"a\": 1\n  , \"b\": 2\n  , \"c\": 3\n}\n"),
    ("odd spaces", "{ \"a\"  :1 ,\n\n\n   \"b\":   [ ]   }   \n"),
    (
        "escapes",
        "{\n  \"p\\u0061th\": \"C:\\\\x\\u00e9\\ud83d\\ude00\\n\",\n  \"cut\": \"\\ud83d\",\n  \"tail\": \"x\\udc00y\\\\ud83d\"\n}\n",
    ),
    ("other scripts", "{\n  \"主題\": \"暗い\",\n  \"😀\": [\"é\", \"\u{202e}\"]\n}\n"),
    ("deep", "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":[[[[[[1]]]]]]}}}}}}\n"),
    ("big numbers", "{\n  \"a\": 1e400,\n  \"b\": 12345678901234567890123,\n  \"c\": -0.10\n}\n"),
    ("braces in texts", "{\n  \"a\": \"}{][,// no comment\",\n  \"b\": \"/* nor this */\"\n}\n"),
    ("the own memory on", "{\n  \"autoMemoryEnabled\": true,\n  \"theme\": \"dark\"\n}\n"),
    ("the own memory off", "{\n  \"autoMemoryEnabled\": false\n}\n"),
    (
        "a server by hand",
        "{\n  \"mcpServers\": {\n    \"memory\": {\n      \"command\": \"/old/coffer-mcp-shim\",\n      \"alwaysLoad\": true\n    },\n    \"x\": { \"command\": \"x\" }\n  }\n}\n",
    ),
    (
        "a hook by hand",
        "{\n  \"hooks\": {\n    \"SessionStart\": [\n      { \"matcher\": \"startup\", \"hooks\": [ { \"type\": \"command\", \"command\": \"coffer-hook --agent mine\" }, { \"type\": \"command\", \"command\": \"date\" } ] },\n      { \"hooks\": [ { \"type\": \"command\", \"command\": \"last\" } ] }\n    ]\n  }\n}\n",
    ),
];

/// What else JSON with comments may be.
pub(super) const JSONC: &[(&str, &str)] = &[
    ("a comment alone", "// nothing yet\n"),
    ("a comment inside", "{\n  // nothing yet\n}\n"),
    ("a comment inside, one line", "{ /* nothing yet */ }"),
    ("a comment before", "// mine\n{\n  \"theme\": \"dark\" // for the night\n}\n// end\n"),
    ("a trailing comma", "{\n  \"theme\": \"dark\",\n}\n"),
    ("as OpenCode writes it", "{ \"$schema\": \"https://opencode.ai/config.json\",}"),
    ("a trailing comma and a comment", "{\n  \"theme\": \"dark\", // why\n  // after\n}\n"),
    ("a comment after the last", "{\n  \"theme\": \"dark\" /* one */ // two\n  /* three */\n}\n"),
    (
        "comments between servers",
        "{\n  \"mcpServers\": {\n    // first\n    \"a\": { \"command\": \"a\" }, // of mine\n    /* \"off\": {}, */\n    \"b\": { \"command\": \"b\", }, // last\n  },\n}\n",
    ),
    (
        "comments among hooks",
        "{\n  \"hooks\": {\n    \"SessionStart\": [\n      // mine\n      { \"hooks\": [ /* none */ ] } // end\n    ] // list\n  } // hooks\n} // all\n",
    ),
    (
        "a trailing comma in a list",
        "{\n\t\"hooks\": {\n\t\t\"SessionStart\": [\n\t\t\t{ \"hooks\": [], },\n\t\t],\n\t},\n}\n",
    ),
    ("comments and carriage returns", "{\r\n  // a\r\n  \"theme\": \"dark\", // b\r\n}\r\n"),
    ("a comment between value and comma", "{\n  \"a\": 1 /* x */ ,\n  \"b\": 2 // y\n}\n"),
    (
        "an address in a comment",
        "{\n  // see https://example.org/{x}\n  \"a\": \"https://example.org/*\" // \"\n}",
    ),
];

/// TOML in its forms.
pub(super) const TOML: &[(&str, &str)] = &[
    ("empty", ""),
    ("blank", "\n\n"),
    ("a comment alone", "# mine\n"),
    ("a comment alone, no line end", "# mine"),
    ("only the mark", "\u{feff}"),
    ("keys", "model = \"x\"\napproval = 'never' # why\n"),
    ("no final line end", "model = \"x\""),
    ("a blank line at the end", "model = \"x\"\n\n"),
    ("carriage returns", "model = \"x\"\r\n\r\n[features]\r\na = true\r\n"),
    ("carriage returns and a mark", "\u{feff}# c\r\nmodel = \"x\"\r\n"),
    ("mixed line ends", "a = 1\nb = 2\r\n[features]\r\nc = 3\n"),
    (
        "a table of features",
        "model = \"x\"\n\n[features]\nweb = true # on\n\n[tui]\ntheme = \"dark\"\n",
    ),
    ("an empty table", "[features]\n[tui]\nx = 1\n"),
    ("an empty table at the end", "[features]"),
    ("an indented table", "[features]\n  web = true\n  # note\n\n[tui]\n"),
    ("dotted keys", "features.web = true\nfeatures.a.b = 1\n\n[tui]\nx = 1\n"),
    ("dotted keys below a header", "[a]\nx = 1\n[memories]\nother.deep = 1\n"),
    ("an inline table", "features = { web = true, a.b = 1 } # c\nx = 1\n"),
    ("an empty inline table", "features = {}\nmemories = { }\n"),
    ("inline servers", "mcp_servers = { a = { command = \"a\" } }\n"),
    ("a table by its child", "[features.sub]\nx = 1\n"),
    ("a child before its table", "[features.sub]\nx = 1\n\n[features]\ny = 2\n"),
    (
        "servers of others",
        "[mcp_servers.a]\ncommand = \"a\"\nargs = [\"x\",\n  \"y\", # z\n]\n\n[mcp_servers.a.env]\nKEY = \"v\"\n\n# the end\n",
    ),
    ("servers by dotted keys", "mcp_servers.a.command = \"a\"\nmcp_servers.b.command = \"b\"\n"),
    ("quoted keys", "[\"features\"]\n'web' = true\n[projects.\"/a b/c\"]\ntrust = \"x\"\n"),
    ("odd headers", "[ features ] # c\nweb=true\n\t[ tui ]\nx=1\n"),
    (
        "texts over lines",
        "prompt = \"\"\"\n[features]\nmemories = true\n\"\"\"\nother = '''\n# no\n'''\n",
    ),
    ("lists of tables", "[[rules]]\nx = 1\n[[rules]]\nx = 2\n[[rules.deep]]\ny = 3\n"),
    (
        "hooks as lists of tables",
        "[[hooks.SessionStart]]\nmatcher = \"startup\"\n[[hooks.SessionStart.hooks]]\ntype = \"command\"\ncommand = 'x'\n",
    ),
    (
        "comments between keys",
        "# head\na = 1\n# between\n\n# two\n[features]\n# in\nweb = true\n# tail of it\n\n# of the next\n[tui]\n",
    ),
    ("memories on", "[features]\nmemories = true # mine\n[memories]\ngenerate_memories = true\n"),
    ("memories off", "[features]\nmemories = false\n[memories]\ngenerate_memories = false\n"),
    ("memories by dotted keys", "features.memories = true\nmemories.generate_memories = true\n"),
    (
        "values of all kinds",
        "a = 1_000\nb = 0x1F\nc = 1979-05-27T07:32:00Z\nd = inf\ne = [[1], {x = 1}]\n",
    ),
    (
        "a server by hand",
        "[mcp_servers.coffer]\ncommand = \"coffer\"\nargs = [\"mcp\"]\nstartup_timeout_sec = 20\n\n[mcp_servers.z]\ncommand = \"z\"\n",
    ),
];

/// What is no file of its kind, and is left as it is.
pub(super) const BROKEN_JSON: &[&str] = &[
    "{",
    "{\"a\": 1,}",
    "{\"a\" 1}",
    "[]",
    "null",
    "1",
    "{\"a\": 1} {}",
    "{\"a\": 1, \"a\": 2}",
    "// c\n{}",
    "{\"a\": \"x\ny\"}",
    "{'a': 1}",
    "{a: 1}",
    "{\"a\": .5}",
    "{\"mcpServers\": []}",
    "{\"mcpServers\": {\"coffer\": {\"command\": \"other\"}}}",
    "{\"hooks\": 1}",
    "{\"hooks\": {\"SessionStart\": {}}}",
    "nonsense",
    "{\"a\": \"\\q\"}",
    "{\"mcpServers\": null}",
];

/// The same with comments.
pub(super) const BROKEN_JSONC: &[&str] = &[
    "{",
    "{\"a\": 1,,}",
    "{\"a\": 1 \"b\": 2}",
    "/* open",
    "{\"a\": 1, \"a\": 2,}",
    "[1,]",
    "{\"a\": /* }",
];

/// The same in TOML.
pub(super) const BROKEN_TOML: &[&str] = &[
    "a =",
    "a = 1\na = 2\n",
    "[a\n",
    "= 1",
    "a = \"x",
    "mcp_servers = 1\nfeatures = 1\n",
    "[[mcp_servers]]\nx = 1\n[[features]]\n",
    "[mcp_servers.coffer]\ncommand = \"other\"\n",
];
