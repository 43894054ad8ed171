import { contract } from '@liquidity-os/contract'
import { providerBody, type TestChain } from '../support/chain.ts'
import { newMember, type TestMember } from '../support/service.ts'
import { aHolding, assumptions } from './record-scenes.ts'
import type { Scene } from './scene.ts'

const reason = 'For the walk'
const evidenceHashes = [`0x${'ab'.repeat(32)}`]

interface Recorded {
  readonly resourceType: string
  readonly id: string
  readonly resourceVersion: string
}
const refOf = ({ resourceType, id, resourceVersion }: Recorded) => ({
  resourceType,
  id,
  resourceVersion,
})
const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`

async function aCapitalStudy({ client }: TestMember, test: TestChain) {
  const [quote, token] = test.markets.tokens
  const { payload } = contract.createCapitalRequirements.example.body
  const { data } = (
    await client.createCapitalRequirements({
      body: { payload: { ...payload, token: keyOf(token), quote: keyOf(quote) }, reason } as never,
    })
  ).body
  return data as unknown as Recorded
}

/** All that an account holds of the second token. */
async function anEntry({ client }: TestMember, test: TestChain) {
  await client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
  const [, token] = test.markets.tokens
  const payload = {
    entryKind: 'ASSET',
    label: 'Programme',
    asset: keyOf(token),
    purpose: 'LIQUIDITY_PROGRAM',
    container: { kind: 'EOA', chainId: 31_337, address: test.chain.accounts[0]!.address },
  }
  const { data } = (await client.createTreasuryEntries({ body: { payload, reason } as never })).body
  return data as unknown as Recorded
}

const someAssumptions = async ({ client }: TestMember) =>
  (
    await client.createTreasuryAssumptions({
      body: { ...assumptions, startMonth: '2026-01', reason } as never,
    })
  ).body.data as unknown as Recorded

async function aProjection(owner: TestMember) {
  const { client } = owner
  const set = await someAssumptions(owner)
  const { data } = (
    await client.createTreasuryProjection({ body: { assumptions: refOf(set), reason } as never })
  ).body
  return (data as unknown as { projection: Recorded }).projection
}

/** Settings that require a second person or waive that, by the version that is current. */
async function required({ client }: TestMember, requireSecondPerson: boolean) {
  const { resourceVersion, settings: before } = (await client.getTreasurySettings()).body.data
  const settings = { ...before, reconciliation: { requireSecondPerson } }
  return { ifMatch: resourceVersion, body: { settings, reason } }
}

/** A token of the chain that is declared as the own token. */
async function anOwnToken({ client }: TestMember, test: TestChain) {
  await client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
  const assetKey = keyOf(test.markets.tokens[1])
  const body = { assetKey, class: 'OWN_TOKEN', reason }
  return (await client.createTreasuryAssets({ body: body as never })).body.data
}

const of = ({ id, resourceVersion }: { id: string; resourceVersion: string }) => ({
  params: { id },
  ifMatch: resourceVersion,
})

export const treasuryScenes: Readonly<Record<string, Scene>> = {
  putTreasurySettings: async (owner) => {
    const { ifMatch, body } = await required(owner, true)
    const limited = {
      primaryAssumptions: (await someAssumptions(owner)).id,
      requiredLimits: [{ metric: 'RUNWAY_MONTHS_X3', threshold: '12000' }],
      minimumCoveragePips: 900_000,
    }
    return {
      request: { ifMatch },
      bodies: [{ ...body, settings: { ...body.settings, ...limited } }],
    }
  },
  confirmTreasurySettings: async (owner, _, service) => {
    const other = await newMember(service, owner.organizationId, 'OWNER')
    await owner.client.putTreasurySettings(await required(owner, true))
    await other.client.putTreasurySettings(await required(other, false))
    const { ifMatch } = await required(owner, false)
    return { request: { ifMatch }, bodies: [{ reason }] }
  },
  createTreasuryAssets: async ({ client }, test) => {
    await client.putOperatingSystemProvider({ body: providerBody(test.chain.rpcUrl) })
    const assetKey = keyOf(test.markets.tokens[0])
    return { bodies: [{ assetKey, class: 'STABLE', reason }] }
  },
  changeTreasuryAsset: async (owner, test) => ({
    request: of(await anOwnToken(owner, test)),
    bodies: [{ class: 'CRYPTO_OTHER', reason }],
  }),
  confirmTreasuryAsset: async (owner, test, service) => {
    const other = await newMember(service, owner.organizationId, 'OWNER')
    const asset = of(await anOwnToken(owner, test))
    const body = { class: 'CRYPTO_OTHER', reason } as const
    const { data } = (await other.client.changeTreasuryAsset({ ...asset, body } as never)).body
    return { request: of(data), bodies: [{ reason }] }
  },
  reserveTreasuryFromCapitalStudy: async (owner, test) => {
    const entry = refOf(await anEntry(owner, test))
    const { id, resourceVersion } = await aCapitalStudy(owner, test)
    const expiresAt = '2026-03-01T00:00:00Z'
    return {
      request: { params: { id } },
      bodies: [
        {
          studyResourceVersion: resourceVersion,
          purpose: 'Liquidity of the launch',
          reason,
          reservations: [{ entry, quantity: '1000', expiresAt }],
        },
      ],
    }
  },
  createTreasuryReconciliation: async (owner, test) => {
    await aHolding(owner, test)
    const scope = { kind: 'ALL_ACTIVE' }
    const { data } = (
      await owner.client.previewTreasuryReconciliation({ body: { scope } as never })
    ).body
    const asOf = data.computation.snapshot?.chains.map(({ chainId, blockNumber, blockHash }) => ({
      chainId,
      blockNumber,
      blockHash,
    }))
    return {
      bodies: [
        {
          request: { scope, asOf },
          expectedReconciliationHash: data.reconciliationHash,
          requireSecondPerson: true,
          reason,
        },
      ],
    }
  },
  createDecisionPackFromTreasury: async (owner, test) => {
    const projection = refOf(await aProjection(owner))
    const capitalRequirement = refOf(await aCapitalStudy(owner, test))
    return {
      bodies: [
        {
          projection,
          capitalRequirement,
          question: 'Do we go on like this?',

          context: 'The winter is near.',
          quorum: { approvals: 2, roles: ['OWNER', 'REVIEWER'] },
          decisionBy: '2027-01-31T00:00:00Z',
          expiresAt: '2028-01-31T00:00:00Z',
          recommendation: { optionId: 'status-quo', rationale: 'It is cheap', by: 'HUMAN' },
          limits: [],
          evidenceHashes,
          reason,
        },
      ],
    }
  },
}
