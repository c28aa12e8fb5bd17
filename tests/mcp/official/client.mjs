// An MCP client that is not ours: the official SDK, driven by a scenario.
//
// Standard input holds one JSON object: `name` of the client, `server` (`command`, `args`, `cwd`
// and `env` for one that is spawned; `url` and `headers` for one that listens), `roots` (addresses
// of folders, where the client tells any) and `steps`. Standard output gets one JSON object: how
// the server introduced itself, the outcome of each step, and `faults`, whatever the SDK found
// wrong on the way. A step that the SDK or the server refuses has the outcome `{refused}`.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { text } from 'node:stream/consumers';

/** Milliseconds after which a scenario has failed. */
const PATIENCE = 60_000;

const schemas = new Ajv2020({ strict: true, validateSchema: true, validateFormats: false });

/** A step's name, and what it does with what stands beside the name. */
const STEPS = {
  list: async (client) => (await client.listTools()).tools,
  /** Each tool's schemas against the metaschema: what is wrong with them, by tool. */
  schemas: async (client) => {
    const { tools } = await client.listTools();
    return Object.fromEntries(tools.map((tool) => [tool.name, wrong(tool)]));
  },
  ping: (client) => client.ping(),
  // Where a tool declares an output schema, the SDK refuses a result that does not match it.
  call: (client, call) => client.callTool(call),
  /** All of them on their way before the first is answered. */
  together: (client, calls) => Promise.all(calls.map((call) => client.callTool(call))),
  /** With a progress token; the outcome counts what was told. */
  followed: async (client, call) => {
    let told = 0;
    const result = await client.callTool(call, undefined, { onprogress: () => (told += 1) });
    return { told, result };
  },
  /** Given up as soon as it was sent. */
  cancelled: async (client, call) => {
    const abort = new AbortController();
    const result = client.callTool(call, undefined, { signal: abort.signal });
    setImmediate(() => abort.abort('the person changed their mind'));
    return result;
  },
};

function wrong(tool) {
  const faults = [];
  for (const schema of [tool.inputSchema, tool.outputSchema]) {
    try {
      schemas.compile(schema);
    } catch (error) {
      faults.push(error.message);
    }
  }
  return faults;
}

function connection(server) {
  if (server.command) return new StdioClientTransport({ ...server, stderr: 'inherit' });
  return new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: server.headers },
  });
}

function made({ name, roots }) {
  const client = new Client({ name, version: '1.0.0' }, { capabilities: roots ? { roots: {} } : {} });
  if (roots) {
    const told = { roots: roots.map((uri) => ({ uri })) };
    client.setRequestHandler(ListRootsRequestSchema, () => told);
  }
  return client;
}

async function outcome(client, step) {
  const [[name, argument]] = Object.entries(step);
  try {
    return await STEPS[name](client, argument);
  } catch (error) {
    return { refused: { code: error.code ?? null, message: error.message ?? String(error) } };
  }
}

/** Says goodbye as the transport wants it; for how long, and whether a spawned server is gone. */
async function ended(client, transport) {
  const { pid } = transport;
  const begun = performance.now();
  await transport.terminateSession?.();
  await client.close();
  return { milliseconds: performance.now() - begun, alive: pid ? isAlive(pid) : null };
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** An answer that crossed with the change of mind: the protocol lets it come, the SDK complains. */
function isLate(error, steps) {
  const mayCross = steps.some((step) => 'cancelled' in step);
  return mayCross && error.message.startsWith('Received a response for an unknown message ID');
}

async function run(scenario) {
  const [client, transport, faults] = [made(scenario), connection(scenario.server), []];
  client.onerror = (error) => {
    if (!isLate(error, scenario.steps)) faults.push(error.message);
  };
  await client.connect(transport);
  const greeting = {
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
  };
  const session = transport.sessionId ?? null;
  const outcomes = [];
  for (const step of scenario.steps) outcomes.push(await outcome(client, step));
  const end = await ended(client, transport);
  return { greeting, session, outcomes, end, faults };
}

// Unreferenced, so that a client that leaves nothing behind ends by itself before.
setTimeout(() => {
  process.stderr.write(`the scenario has not ended in ${PATIENCE} ms\n`);
  process.exit(3);
}, PATIENCE).unref();

process.stdout.write(JSON.stringify(await run(JSON.parse(await text(process.stdin)))));
