import { once } from 'node:events'
import { basePath } from '@liquidity-os/contract'
import {
  notHttp,
  openRaw,
  type RawConnection,
} from '../../apps/server/test/support/raw-connection.ts'
import { until } from '../../apps/server/test/support/until.ts'
import type { Attack, Stage, Tally } from './attack.ts'

/** A connection that has answered and is silent for this long has said all that it will. */
const patienceMilliseconds = 5_000
/** One that has neither answered nor ended by then does not answer. */
const maxMilliseconds = 60_000
const statusPath = `${basePath}/status`
const inner = `GET ${statusPath} HTTP/1.1\r\nhost: localhost\r\n\r\n`

const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const posted = (...lines: string[]) =>
  head(`POST ${basePath}/venues HTTP/1.1`, 'host: localhost', ...lines)

/** Requests that two readers may end at different places; a second one is hidden in the first. */
const smuggled: readonly (readonly [string, string])[] = [
  ['a length before chunks', posted('content-length: 6', 'transfer-encoding: chunked')],
  ['chunks before a length', posted('transfer-encoding: chunked', 'content-length: 6')],
  ['two codings', posted('transfer-encoding: chunked', 'transfer-encoding: identity')],
  ['a coding that nobody knows', posted('transfer-encoding: xchunked')],
  ['a coding behind a tab', posted('transfer-encoding:\tchunked', 'content-length: 6')],
  ['a coding with a space before its colon', posted('transfer-encoding : chunked')],
  ['a length with a sign', posted('content-length: +6')],
  ['a length in two words', posted('content-length: 6, 7')],
  ['a negative length', posted('content-length: -1')],
  ['a folded header', posted('x: 1', ' transfer-encoding: chunked', 'content-length: 6')],
  ['lines that end with LF alone', posted('content-length: 6').replaceAll('\r\n', '\n')],
  ['NUL in a header', posted('x: a\0b')],
].map(([name = '', text = '']) => [name, `${text}0\r\n\r\n${inner}`] as const)

const statusesIn = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g) ?? []

/** Everything that a connection answers before it ends, or until it has been silent for a while; and whether it ended. */
async function answersTo(
  { baseUrl }: Stage,
  text: string,
): Promise<{ statuses: readonly string[]; hasEnded: boolean }> {
  const connection = await openRaw(baseUrl)
  connection.socket.write(text, 'latin1')
  let hasEnded = await silence(connection, patienceMilliseconds)
  if (!hasEnded && connection.read() === '') {
    hasEnded = await silence(connection, maxMilliseconds)
  }
  connection.socket.destroy()
  return { statuses: statusesIn(connection.read()), hasEnded }
}

/** Whether the connection has ended by then. */
async function silence({ ended }: RawConnection, milliseconds: number): Promise<boolean> {
  const signal = AbortSignal.timeout(milliseconds)
  return Promise.race([
    Promise.resolve(ended).then(() => true),
    once(signal, 'abort').then(() => false),
  ])
}

/** What must be refused once, and nothing behind it carried out. */
async function refusedOnce(
  stage: Stage,
  tally: Tally,
  [name, text]: readonly [string, string],
  allowed: readonly number[],
): Promise<void> {
  const { statuses, hasEnded } = await answersTo(stage, text)
  const [first = hasEnded ? 'ended without an answer' : 'no answer'] = statuses
  const isHeld =
    (statuses.length === 0 && hasEnded) ||
    (statuses.length === 1 && allowed.some((status) => first.endsWith(String(status))))
  const came = first.replace('HTTP/1.1 ', '')
  tally.note(came, isHeld ? null : `${name} was answered ${statuses.join(', ') || first}`)
}

export const transportAttacks: readonly Attack[] = [
  {
    area: 'transport',
    name: 'request smuggling',
    needs: 'ADDRESS',
    run: async (stage, tally) => {
      await Promise.all(smuggled.map((one) => refusedOnce(stage, tally, one, [400, 501])))
    },
  },
  {
    area: 'transport',
    name: 'chunks with a wrong length',
    needs: 'ADDRESS',
    run: async (stage, tally) => {
      const chunked = posted('transfer-encoding: chunked', 'content-type: application/json')
      const bodies = [
        '-1\r\nx\r\n',
        '0x5\r\nhello\r\n',
        'fffffffffffffffff\r\n',
        '5;\nhello\r\n',
      ].map((body) => [JSON.stringify(body), `${chunked}${body}${inner}`] as const)
      await Promise.all(bodies.map((one) => refusedOnce(stage, tally, one, [400, 401, 413])))
    },
  },
  {
    area: 'transport',
    name: 'two host headers',
    needs: 'ADDRESS',
    run: async (stage, tally) => {
      const twice = ['host: localhost', 'Host: elsewhere.example', 'connection: close']
      const text = head(`GET ${statusPath} HTTP/1.1`, ...twice)
      await refusedOnce(stage, tally, ['two hosts', text], [400])
    },
  },
  {
    area: 'transport',
    name: 'bytes that are not HTTP',
    needs: 'ADDRESS',
    run: async (stage, tally) => {
      await Promise.all(
        notHttp.map(([name, text, status]) => refusedOnce(stage, tally, [name, text], [status])),
      )
    },
  },
  {
    area: 'transport',
    name: 'two thousand headers',
    needs: 'ADDRESS',
    run: async (stage, tally) => {
      const many = Array.from({ length: 2_000 }, (_, place) => `x-${place}: 1`)
      const text = head(`GET ${statusPath} HTTP/1.1`, 'host: localhost', ...many)
      await refusedOnce(stage, tally, ['two thousand headers', text], [400, 431])
    },
  },
  {
    area: 'transport',
    name: 'pipelined requests on one connection',
    needs: 'ADDRESS',
    run: async (stage, tally) => {
      const pairs = stage.isThorough ? 500 : 50
      const nowhere = inner.replace(statusPath, `${basePath}/nowhere`)
      const text = `${`${nowhere}${inner}`.repeat(pairs)}${nowhere}`
      const connection = await openRaw(stage.baseUrl)
      connection.socket.write(text)
      const isAnswered = () => statusesIn(connection.read()).length > 2 * pairs
      await until('every answer', () => isAnswered() || connection.socket.destroyed)
      connection.socket.destroy()
      const statuses = statusesIn(connection.read())
      const isInOrder = statuses.every((status, place) =>
        status.endsWith(place % 2 === 0 ? '404' : '200'),
      )
      const isHeld = isInOrder && statuses.length === 2 * pairs + 1
      tally.note(`${statuses.length} in order`, isHeld ? null : 'answers are missing or mixed up')
    },
  },
  {
    area: 'transport',
    name: 'headers that never end, on open connections',
    needs: 'ADDRESS',
    run: async ({ baseUrl, isThorough }, tally) => {
      const opened = Array.from({ length: isThorough ? 1_000 : 100 }, () => openRaw(baseUrl))
      const held = await Promise.all(opened)
      for (const { socket } of held) socket.write(`GET ${statusPath} HTTP/1.1\r\nhost: lo`)
      const live = await fetch(`${baseUrl}/health/live`)
      for (const { socket } of held) {
        tally.note(`others ${live.status}`, live.status === 200 ? null : 'nobody else is served')
        socket.destroy()
      }
    },
  },
]
