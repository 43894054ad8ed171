import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { format } from 'node:util'
import { createContext, runInContext } from 'node:vm'

/** `pick` of docs/terminal.sh, answered by this process. */
export interface ResidentPick {
  /** Shell file that replaces `pick`; source it after docs/terminal.sh. */
  readonly file: string
  readonly stop: () => Promise<void>
}

interface Answer {
  readonly status: 0 | 1
  readonly text: string
}

/**
 * Serves `pick` without starting a process per call. The pages call it 500 times. Starting Node
 * takes longer than responding.
 *
 * @param terminal path of docs/terminal.sh, whose `pick` this one evaluates
 * @param folder destination of the shell file
 */
export async function startResidentPick(terminal: string, folder: string): Promise<ResidentPick> {
  const program = readProgram(terminal)
  // Other users of the machine can connect to the port, so each call proves that it has read the file.
  const token = randomBytes(16).toString('hex')
  const server = createServer((socket) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      const answer = answerOf(Buffer.concat(chunks), token, program)
      if (answer) socket.end(`${answer.status}\n${answer.text}`)
    })
    // The shell of a page that has failed ends without waiting for its answer.
    socket.on('error', () => socket.destroy())
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const open = new Set<Socket>()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  const file = join(folder, 'resident-pick.sh')
  writeFileSync(file, shellOf(address.port, token), { mode: 0o600 })
  return {
    file,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** JavaScript of `pick`; `$1` is the expression. */
function readProgram(terminal: string): string {
  const program = /^pick\(\) \{\n {2}node -p "([^"]*)"\n\}$/m.exec(
    readFileSync(terminal, 'utf8'),
  )?.[1]
  if (program === undefined) throw new Error(`${terminal} does not define pick as expected.`)
  return program
}

/** Lengths are counted in bytes: one line with the token and both lengths, the expression, the input. */
const shellOf = (port: number, token: string) => `pick() {
  local LC_ALL=C input status
  input=$(cat)
  {
    printf '%s %s %s\\n%s%s' ${token} "\${#1}" "\${#input}" "$1" "$input" >&9
    read -r status <&9
    if [ "$status" = 0 ]; then cat <&9; else cat <&9 >&2; fi
  } 9<>/dev/tcp/127.0.0.1/${port}
  return "$status"
}
`

/** Response to a complete request; null while parts are missing. */
function answerOf(request: Buffer, token: string, program: string): Answer | null {
  const end = request.indexOf('\n')
  if (end < 0) return null
  const [given, ...lengths] = request.subarray(0, end).toString('latin1').split(' ')
  if (given !== token) return { status: 1, text: 'The token is wrong.\n' }
  const [expressionBytes = 0, inputBytes = 0] = lengths.map(Number)
  const body = request.subarray(end + 1)
  if (body.length < expressionBytes + inputBytes) return null
  const expression = body.subarray(0, expressionBytes).toString('utf8')
  const input = body.subarray(expressionBytes, expressionBytes + inputBytes).toString('utf8')
  return evaluate(
    program.replace('$1', () => expression),
    input,
  )
}

/** Evaluates and prints as `node -p` does. */
function evaluate(script: string, input: string): Answer {
  const context = createContext({ require: () => ({ readFileSync: () => input }) })
  try {
    return { status: 0, text: `${format(runInContext(script, context, { filename: '[eval]' }))}\n` }
  } catch (error) {
    const { stack = String(error) } = error as Error
    return { status: 1, text: `${stack}\n` }
  }
}
