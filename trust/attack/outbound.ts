import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operationById } from '@liquidity-os/contract'
import {
  createOutbound,
  type OutboundOptions,
} from '../../apps/server/src/integrations/outbound/outbound.ts'
import { OutboundError } from '../../apps/server/src/integrations/outbound/outbound-error.ts'
import { innerUrls } from '../../apps/server/src/integrations/outbound/testing/inner-addresses.ts'
import { type Attack, ownOf, type Tally } from './attack.ts'
import { ask } from './tenants.ts'

/** Long where an answer is what comes, short where none is. */
const [patient, impatient] = [30_000, 300]
const maxBytes = 100_000

/** A server of this machine that nobody is to reach, or that answers badly; counts who does. */
async function listening<T>(
  answer: RequestListener,
  use: (port: number, reached: () => number) => Promise<T>,
): Promise<T> {
  let reached = 0
  const server = createServer((request, response) => {
    reached += 1
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await use((server.address() as AddressInfo).port, () => reached)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** What the only way out says of a URL, in a word. */
async function outcomeOf(
  url: string,
  options: Partial<OutboundOptions>,
  timeoutMs = patient,
): Promise<string> {
  const outbound = createOutbound({ allowHttp: true, ...options })
  try {
    const { status } = await outbound.request(url, { timeoutMs, maxBytes })
    return String(status)
  } catch (error) {
    if (error instanceof OutboundError) return error.code
    throw error
  } finally {
    await outbound.close()
  }
}

/** Tries it, and holds that nothing was reached within and that it came to this. */
async function expectOutcome(
  tally: Tally,
  [url, options]: readonly [string, Partial<OutboundOptions>],
  expected: string,
): Promise<void> {
  const came = await outcomeOf(url, options, expected === 'TIMED_OUT' ? impatient : patient)
  tally.note(came, came === expected ? null : `${url} came to ${came}`)
}

const neverReached = (tally: Tally, reached: () => number) => {
  if (reached() > 0) tally.breaches.push(`a server within was reached ${reached()} times`)
}
/** Names that lead within, some of them beside an address that is public. */
const resolutions = [
  ['127.0.0.1'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['::ffff:a9fe:a9fe'],
  ['64:ff9b::7f00:1'],
  ['93.184.216.34', '127.0.0.1'],
]

export const outboundAttacks: readonly Attack[] = [
  {
    area: 'outbound',
    name: 'providers with an internal address',
    needs: 'OWN_SERVICE',
    run: async (stage, tally) => {
      const { attacker } = ownOf(stage)
      const operation = operationById.get('putOperatingSystemProvider')
      if (!operation) throw new Error('Operation putOperatingSystemProvider does not exist.')
      await listening(
        (_request, response) => response.end('{}'),
        async (port, reached) => {
          for (const [number, template] of innerUrls.entries()) {
            const endpoint = template.replace('PORT', String(port))
            const payload = {
              providerId: `within-${number}`,
              kind: 'CHAIN_RPC',
              displayName: 'Within',
              endpoint,
              configuration: { chainId: 1, finality: 'finalized' },
            }
            const body = { payload, reason: 'An attack' }
            const { word, status } = await ask(attacker.options, operation, { body })
            tally.note(word, status < 400 || status >= 500 ? `${endpoint} answered ${word}` : null)
          }
          neverReached(tally, reached)
        },
      )
    },
  },
  {
    area: 'outbound',
    name: 'URLs with an internal address, in any spelling',
    needs: 'OWN_SERVICE',
    run: async (_stage, tally) => {
      await listening(
        (_request, response) => response.end(),
        async (port, reached) => {
          for (const template of innerUrls) {
            const url = template.replace('PORT', String(port))
            await expectOutcome(tally, [url, {}], 'ADDRESS_NOT_PUBLIC')
          }
          neverReached(tally, reached)
        },
      )
    },
  },
  {
    area: 'outbound',
    name: 'names that resolve to an internal address, at once or at the second lookup',
    needs: 'OWN_SERVICE',
    run: async (_stage, tally) => {
      await listening(
        (_request, response) => response.end(),
        async (port, reached) => {
          for (const addresses of resolutions) {
            const resolve = async () =>
              addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
            const url = `http://rebind.example:${port}/`
            await expectOutcome(tally, [url, { resolve }], 'ADDRESS_NOT_PUBLIC')
          }
          neverReached(tally, reached)
        },
      )
    },
  },
  {
    area: 'outbound',
    name: 'redirects to an internal address',
    needs: 'OWN_SERVICE',
    run: async (_stage, tally) => {
      await listening(
        (_request, response) => response.end('secret'),
        async (within, reached) => {
          for (const status of [301, 302, 303, 307, 308]) {
            const location = `http://127.0.0.1:${within}/`
            await listening(
              (_request, response) => response.writeHead(status, { location }).end(),
              (port) => {
                const to = `127.0.0.1:${port}`
                return expectOutcome(tally, [`http://${to}/`, { allow: [to] }], String(status))
              },
            )
          }
          neverReached(tally, reached)
        },
      )
    },
  },
  {
    area: 'outbound',
    name: 'responses without end, slow responses and no response',
    needs: 'OWN_SERVICE',
    run: async (_stage, tally) => {
      const answers: readonly (readonly [RequestListener, string])[] = [
        [
          (_request, response) => {
            const more = () => {
              while (response.write('x'.repeat(16_384)));
            }
            response.on('drain', more)
            more()
          },
          'ANSWER_TOO_LARGE',
        ],
        [
          (_request, response) => {
            const drip = setInterval(() => response.write('.'), 20)
            response.on('close', () => clearInterval(drip))
          },
          'TIMED_OUT',
        ],
        [() => {}, 'TIMED_OUT'],
      ]
      for (const [answer, expected] of answers) {
        await listening(answer, (port) => {
          const to = `127.0.0.1:${port}`
          return expectOutcome(tally, [`http://${to}/`, { allow: [to] }], expected)
        })
      }
    },
  },
]
