/**
 * Serves a real node with the faults and limits of public nodes.
 *
 *     npm run faulty-node -- --upstream http://127.0.0.1:8545 --behavior free-tier
 */
import { parseArgs } from 'node:util'
import { startFaultyNode } from '../src/faulty-node.ts'
import { behaviorNames, UnknownBehaviorError } from '../src/node-faults.ts'

const usage = `npm run faulty-node -- --upstream URL [--behavior NAME[:NUMBER],…] [--port PORT]

Forwards JSON-RPC to URL and applies the behaviors. PUT /__behaviors with a JSON list of names replaces them, and
GET /__requests returns all calls. Stop it with Ctrl-C.

Behaviors: ${behaviorNames.join(', ')}
`

function refuse(message: string): never {
  process.stderr.write(`${message}\n\n${usage}`)
  process.exit(2)
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        upstream: { type: 'string' },
        behavior: { type: 'string', default: 'free-tier' },
        port: { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    return refuse((error as Error).message)
  }
}

const { upstream, behavior, port, help } = readOptions()
if (help) {
  process.stdout.write(usage)
  process.exit(0)
}
if (upstream === undefined || !URL.canParse(upstream)) refuse('--upstream must be a URL.')
try {
  const behaviors = behavior.split(',').filter((name) => name !== '')
  const node = await startFaultyNode(upstream, { behaviors, port: Number(port) })
  process.stdout.write(`${node.url}\n`)
} catch (error) {
  if (!(error instanceof UnknownBehaviorError)) throw error
  refuse(error.message)
}
