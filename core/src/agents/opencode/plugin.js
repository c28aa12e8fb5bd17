// Coffer's plugin for OpenCode. Written by `coffer agent connect`, removed by `coffer agent disconnect`.
// At the first request of a session it asks Coffer for rules, and adds them to the system prompt.
import { spawn } from "node:child_process"

const PROGRAM = "{program}"
const ARGUMENTS = "{arguments}"
const PATIENCE = 2000

function ask(sessionID, directory) {
  return new Promise((resolve) => {
    let text = ""
    const done = () => resolve(text.trim())
    try {
      const hook = spawn(PROGRAM, ARGUMENTS, { stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => { text = ""; hook.kill(); done() }, PATIENCE)
      hook.stdout.setEncoding("utf8").on("data", (part) => { text += part })
      hook.stdin.on("error", () => {})
      hook.on("error", () => { clearTimeout(timer); done() })
      hook.on("close", () => { clearTimeout(timer); done() })
      hook.stdin.end(JSON.stringify({
        hook_event_name: "SessionStart", source: "startup", session_id: sessionID, cwd: directory,
      }))
    } catch {
      done()
    }
  })
}

export const Coffer = async ({ directory }) => {
  const known = new Map()
  return {
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      if (!known.has(sessionID)) known.set(sessionID, ask(sessionID ?? "", directory))
      const text = await known.get(sessionID)
      if (text) system.push(text)
    },
  }
}
