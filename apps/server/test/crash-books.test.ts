// @module-tag long
// @covers apps/server/src/store/records apps/server/src/families/plan/treasury-entries
// @covers apps/server/src/families/prove/treasury-custody apps/server/src/families/operate/treasury-reconciliations
// @covers apps/server/src/families/plan/treasury-assumptions apps/server/src/families/plan/treasury-projections

import { type ClientOptions, createClient, type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { erc20Abi, type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { input, line, scenario } from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { hostOf, providerBody } from './support/chain.ts'
import { accountStatement, typedData } from './support/custody.ts'
import { type Acknowledged, insist } from './support/insist.ts'
import {
  migratedDeployment,
  run,
  serve,
  signInAtTerminal,
  untilServing,
} from './support/processes.ts'

let chain: Localchain
beforeAll(async () => {
  chain = await startLocalchain()
  // Its blocks are of today: evidence of older ones is refused.
  const timestamp = BigInt(Math.floor(Date.now() / 1000) - 600)
  await chain.testClient.setNextBlockTimestamp({ timestamp })
  await chain.mine(80)
})
afterAll(() => chain.stop())

const reason = 'For the test'
const refOf = ({ id, resourceType, resourceVersion }: Stored) => ({
  id,
  resourceType,
  resourceVersion,
})

interface Stored {
  readonly id: string
  readonly resourceType: string
  readonly resourceVersion: string
}

/** What a step knows of those before it, by their operation. */
type Responses = ReadonlyMap<string, never>

interface Step {
  readonly operation: string
  readonly request: (earlier: Responses) => Promise<LooseRequest> | LooseRequest
}

/** The month of a treasury: what it holds and owes, what left unseen, signed, compared and looked over. */
async function month(options: ClientOptions & { organizationId: string }): Promise<Step[]> {
  const [holder, other] = [chain.accounts[1]!, chain.accounts[2]!]
  const token = await chain.deployToken({ name: 'T', symbol: 'T', supply: 100n }, holder.address)
  await chain.mine(4)
  const asset = `eip155:31337/erc20:${token.toLowerCase()}`
  const all = { scope: { kind: 'ALL_ACTIVE' } }
  const client = createClient(options)
  const startMonth = new Date().toISOString().slice(0, 7)
  return [
    {
      operation: 'putOperatingSystemProvider',
      request: () => ({ body: providerBody(chain.rpcUrl) }),
    },
    {
      operation: 'createTreasuryEntries',
      request: () => ({
        body: {
          payload: {
            entryKind: 'ASSET',
            label: 'Reserve',
            asset,
            purpose: 'RUNWAY_RESERVE',
            container: { kind: 'EOA', chainId: 31_337, address: holder.address },
          },
          reason,
        },
      }),
    },
    {
      operation: 'refreshTreasuryLedgerEntry',
      request: async (responses) => {
        const args = [other.address, 40n] as const
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
        await chain.send({ from: holder.address, to: token, data })
        await chain.mine(3)
        const { id, resourceVersion } = responses.get('createTreasuryEntries') as unknown as Stored
        return { params: { id }, ifMatch: resourceVersion, body: { reason } }
      },
    },
    {
      operation: 'admitTreasuryCustodyEvidence',
      request: async () => {
        const statement = await accountStatement(
          { clock: { read: () => Date.now() } } as never,
          options as never,
          chain,
          { account: holder.address, holdings: [{ assetKey: asset, quantity: '60' }] },
        )
        const signature = await holder.signTypedData(typedData(statement) as never)
        return {
          body: { statement, signature: { scheme: 'EIP712_EOA', signature }, reason },
        }
      },
    },
    {
      operation: 'createTreasuryReconciliation',
      request: async () => {
        const { body } = await client.previewTreasuryReconciliation({ body: all as never })
        const { reconciliationHash, computation } = body.data
        const asOf = computation.snapshot!.chains.map(({ chainId, blockNumber, blockHash }) => ({
          chainId,
          blockNumber,
          blockHash,
        }))
        const request = { ...all, asOf }
        return { body: { request, expectedReconciliationHash: reconciliationHash, reason } }
      },
    },
    {
      operation: 'acknowledgeTreasuryReconciliation',
      request: (responses) => {
        const { id, resourceVersion } = responses.get(
          'createTreasuryReconciliation',
        ) as unknown as Stored
        const body = { lineKeys: 'ALL', assertion: 'MAPPING_CONFIRMED', note: 'Seen', reason }
        return { params: { id }, ifMatch: resourceVersion, body }
      },
    },
    {
      operation: 'createTreasuryAssumptions',
      request: () => {
        const payroll = line({
          lineId: 'payroll',
          assetKey: 'iso4217:USD',
          amount: '10',
          growthAnnualPips: 0,
          direction: 'OUTFLOW',
          certainty: 'COMMITTED',
          schedule: { kind: 'RECURRING', firstAt: `${startMonth}-28T00:00:00Z`, every: 'MONTH' },
        } as never)
        const set = { quoteKey: 'iso4217:USD', startMonth, horizonMonths: 12, lines: [payroll] }
        const more = { scenarios: [scenario()], minimumCashQuote: '0' }
        return { body: { ...input({ ...set, ...more } as never), reason } }
      },
    },
    {
      operation: 'createTreasuryProjection',
      request: (responses) => ({
        body: {
          assumptions: refOf(responses.get('createTreasuryAssumptions') as unknown as Stored),
          reason,
        },
      }),
    },
  ]
}

/** What a client needs of an answer for its next step: the record, however the answer names it. */
function recordOf({ text }: Acknowledged): Stored {
  const { data } = JSON.parse(text)
  if ('resourceVersion' in data) return data
  const found = Object.values<Stored>(data).find((one) => one?.resourceVersion !== undefined)
  if (!found) throw new Error(`No record in ${text}`)
  return found
}

it('a month of the books, killed before or after the write of every entry, comparison and projection, is whole and verifies', async () => {
  const deployment = await migratedDeployment({
    WORKER: 'in-process',
    OUTBOUND_ALLOW: hostOf(chain.rpcUrl),
  })
  const service = await serve(deployment, { hasFaultPoints: true })
  const options = await signInAtTerminal(deployment)
  const responses = new Map<string, never>()
  const acknowledged: Acknowledged[] = []
  for (const [index, { operation, request }] of (await month(options)).entries()) {
    const sent = { ...(await request(responses)), idempotencyKey: `books-step-${index}` }
    const isBooks = operation.includes('Treasury')
    const point = index % 2 === 0 ? 'commit:before-write' : 'commit:after-write'
    const fault = isBooks ? await service.killAt(point, { detail: 'treasury' }) : null
    const answering = insist(options, operation, sent)
    if (fault) {
      expect((await fault.killed).point).toBe(point)
      service.start()
      await untilServing(service)
    }
    const answer = await answering
    expect([operation, answer.text, answer.status]).toEqual([
      ...[operation, answer.text, expect.toBeOneOf([200, 201])],
    ])
    acknowledged.push(answer)
    responses.set(operation, recordOf(answer) as never)
  }
  for (const { operation, request, status, text } of acknowledged) {
    const again = await send(options, operationById.get(operation)!, request)
    // An operation that tells a replay by its status says 200.
    expect([operation, again.headers.get('idempotency-replayed'), again.status]).toEqual([
      ...[operation, 'true', expect.toBeOneOf([status, 200])],
    ])
    expect(await again.text()).toBe(text)
  }
  const verified = await run(['verify-history', '--json'], deployment.environment)
  // Six records, of which the holding and the reconciliation have a second version.
  expect({ status: verified.status, ...JSON.parse(verified.stdout) }).toMatchObject({
    status: 0,
    organizations: 1,
    records: 8,
    faults: [],
  })
})
