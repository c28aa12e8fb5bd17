#[tokio::main]
async fn main() {
    let home = coffer_env::Home::discover().unwrap();
    let server = coffer_server::Server::bind(coffer_server::Options {
        home,
        port: Some(0),
        owner: coffer_server::Owner::Headless,
    })
    .unwrap();
    println!("{}", server.handle().address());
    server.run().await.unwrap();
}
