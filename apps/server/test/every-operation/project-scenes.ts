import { minuteMilliseconds } from '../../src/units.ts'
import { observedProject } from '../support/observed-project.ts'
import type { Scene } from './scene.ts'

const reason = 'For the walk'
const hash = `0x${'ab'.repeat(32)}`

/** Identifier forms of a token. */
const identifiers = (address: string) => [
  { chainId: 31_337, address },
  { marketId: 9_999_999 },
  { query: 'ENS' },
]

export const projectScenes: Readonly<Record<string, Scene>> = {
  resolvePublicProject: async (_owner, { markets }) => ({
    bodies: identifiers(markets.tokens[0]),
  }),
  investigatePublicProjectLiquidity: async (_owner, { markets }, service) => {
    // Advances the clock because of the low rate limit per minute and caller.
    service.clock.advance(minuteMilliseconds)
    return {
      bodies: identifiers(markets.tokens[0]).map((identifier) => ({
        identifier,
        question: 'RESERVE_SCALE',
        quoteSize: '10000000000',
      })),
    }
  },
  savePublicProject: async (_owner, { markets }) => ({
    bodies: [
      ...identifiers(markets.tokens[0]).map((identifier) => ({
        payload: { identifier, label: 'One', note: 'From the launch' },
        evidenceHashes: [hash],
        reason,
      })),
      // Rejected: no analysis with this hash was published.
      {
        payload: {
          identifier: identifiers(markets.tokens[0])[0],
          label: 'One',
          analysisHash: hash,
        },
        reason,
      },
    ],
  }),
  refreshSavedProject: async ({ client }, { markets }, service) => {
    const [identifier] = identifiers(markets.tokens[0])
    const saved = await client.savePublicProject({
      body: { payload: { identifier, label: 'One' }, reason } as never,
    })
    service.clock.advance(minuteMilliseconds)
    return { request: { params: { projectId: saved.body.data.id } }, bodies: [{ reason }] }
  },
  runWorkflowResearch: async (owner, _test, service) => {
    const subjects = [{ projectId: await observedProject(service, owner), version: 2 }]
    const payload = {
      workflow: 'EXIT_SCALE',
      subjects,
      parameters: { baseAmount: `${10n ** 18n}` },
    }
    return { bodies: [{ payload, evidenceHashes: [hash], reason }] }
  },
}
