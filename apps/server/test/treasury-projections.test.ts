// @module-tag long
// @covers apps/server/src/families/plan/treasury-assumptions apps/server/src/families/plan/treasury-projections

import { send } from '@liquidity-os/client'
import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { describe, expect, vi } from 'vitest'
import { input, line, scenario } from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { remainderOfFirstMonthX3 } from '../src/families/plan/treasury-projections/projected-terms.ts'
import { dayMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { recordsOf } from './support/admissible.ts'
import { type TestChain, validatedPool } from './support/chain.ts'
import { chainTest } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import type { TestMember } from './support/service.ts'
import { until } from './support/until.ts'

type Projection = VersionedRecord<contract.TreasuryProjection>
type SetRecord = VersionedRecord<contract.TreasuryAssumptions>
type Written = { projection: Projection; warnings: contract.TreasuryGap[] }
type Named = { id: string; resourceType: string; resourceVersion: string }

const it = chainTest.extend(
  'scene',
  { scope: 'file', auto: true },
  async ({ testChain, owner }) => {
    await validatedPool(owner, testChain)
    const [found] = (await owner.client.listVenues()).body.data
    const base = found!.payload.pair.base as Address
    const quote = found!.payload.pair.quote as Address
    const asset = keyOf(quote)
    return { asset, base, quote }
  },
)

const reason = 'For the test'
const keyOf = (token: Address) => `eip155:31337/erc20:${token.toLowerCase()}`
const accountOf = (testChain: TestChain, index: number) => testChain.chain.accounts[index]!.address
const refOf = ({ id, resourceType, resourceVersion }: Named) => ({
  id,
  resourceType,
  resourceVersion,
})

async function made<T>(owner: TestMember, operation: string, body: object): Promise<T> {
  const response = await callOperation<T>(owner, operation as never, { body: { reason, ...body } })
  expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
  return response.data
}

/** A set that begins with the month of the newest block. */
async function setOf(testChain: TestChain, asset: string, lines: object[], more: object = {}) {
  const { timestamp } = await testChain.chain.publicClient.getBlock()
  const startMonth = new Date(Number(timestamp) * 1000).toISOString().slice(0, 7)
  return input({
    quoteKey: asset,
    startMonth,
    horizonMonths: 12,
    lines: lines as never,
    scenarios: [scenario()],
    minimumCashQuote: '0',
    ...more,
  } as never)
}

const assumptions = async (
  testChain: TestChain,
  owner: TestMember,
  asset: string,
  lines: object[],
  more: object = {},
) => made<Named>(owner, 'createTreasuryAssumptions', await setOf(testChain, asset, lines, more))

const holding = (owner: TestMember, token: Address, address: Address, more: object = {}) =>
  made<Named>(owner, 'createTreasuryEntries', {
    payload: {
      entryKind: 'ASSET',
      label: 'Reserve',
      asset: keyOf(token),
      purpose: 'RUNWAY_RESERVE',
      container: { kind: 'EOA', chainId: 31_337, address },
      ...more,
    },
  })

const once = { kind: 'ONE_OFF', at: '2020-01-01T00:00:00Z' } as const

/** Writes down that an obligation is owed no more. */
async function retire(owner: TestMember, { id, resourceVersion }: Named): Promise<Named> {
  const response = await callOperation<Named>(owner, 'retireTreasuryLedgerEntry', {
    params: { id },
    ifMatch: resourceVersion,
    body: { disposition: 'CANCELLED', reason },
  })
  expect(response.status).toBe(200)
  return response.data
}

const debt = (owner: TestMember, asset: string, amount: bigint, more: object = {}) =>
  made<Named>(owner, 'createTreasuryEntries', {
    payload: {
      entryKind: 'OBLIGATION',
      label: 'Audit',
      asset,
      purpose: 'OPERATING',
      obligation: {
        obligationKind: 'VENDOR',
        counterparty: 'Auditor',
        reference: 'Work 1',
        amount: `${amount}`,
        certainty: 'COMMITTED',
        schedule: once,
        ...more,
      },
    },
    evidenceHashes: [`0x${'3'.repeat(64)}`],
  })

const payroll = (asset: string, amount: bigint, more: object = {}) =>
  line({
    lineId: 'payroll',
    assetKey: asset,
    amount: `${amount}`,
    growthAnnualPips: 0,
    direction: 'OUTFLOW',
    certainty: 'COMMITTED',
    schedule: { kind: 'RECURRING', firstAt: '2020-01-28T00:00:00Z', every: 'MONTH' },
    ...more,
  } as never)

const project = (owner: TestMember, body: object, more: object = {}) =>
  callOperation<Written>(owner, 'createTreasuryProjection', { body: { reason, ...body }, ...more })

describe('a projection', () => {
  it('of nothing abstains, and says so', async ({ testChain, owner, scene: { asset } }) => {
    const set = await assumptions(testChain, owner, asset, [payroll(asset, 1n)])
    const { status, data, headers } = await project(owner, { assumptions: refOf(set) })
    expect(status).toBe(201)
    expect(headers.get('etag')).toBe(`"${data.projection.resourceVersion}"`)
    expect(data.projection).toMatchObject({
      status: 'ABSTAINED',
      payload: { scenarios: [], ladder: null, monteCarlo: null },
    })
    expect(data.projection.id).toMatch(/^treasury_projection_[a-f0-9]{32}$/)
  })

  it('reads balances itself, pays obligations, and is read again under its ETag', async ({
    testChain,
    owner,
    scene: { asset, quote },
  }) => {
    const holder = accountOf(testChain, 0)
    const balance = (await testChain.chain.publicClient.readContract({
      address: quote,
      functionName: 'balanceOf',
      args: [holder],
      abi: [
        {
          type: 'function',
          name: 'balanceOf',
          stateMutability: 'view',
          inputs: [{ type: 'address' }],
          outputs: [{ type: 'uint256' }],
        },
      ],
    })) as bigint
    expect(balance).toBeGreaterThan(1000n)
    const entry = await holding(owner, quote, holder)
    const monthly = (balance * 3n) / 10n
    const set = await assumptions(testChain, owner, asset, [payroll(asset, monthly)])
    const response = await project(owner, {
      assumptions: refOf(set),
      monteCarlo: { paths: 500, seed: '42' },
    })
    expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
    const { payload } = response.data.projection
    expect(payload.opening).toEqual([
      {
        assetKey: asset,
        isDirect: true,
        quantity: `${balance}`,
        restricted: '0',
        reserved: '0',
        free: `${balance}`,
        priceX36: `${10n ** 36n}`,
        tier: expect.stringMatching(/^T[23]$/),
      },
    ])
    const [first] = payload.scenarios
    // Two whole months and a third of one behind what is left of the first.
    const at = Date.parse(payload.computation.snapshot!.asOf)
    const { assumptions: of } = (set as unknown as SetRecord).payload
    const monthsX3 = remainderOfFirstMonthX3(of, at) + 2333
    expect(first!.runway.liquid.gross).toEqual({ monthsX3, beyondHorizon: false })
    expect(first!.months[0]!.holdings[0]).toMatchObject({
      opening: `${balance}`,
      outflow: `${monthly}`,
      closing: `${balance - monthly}`,
    })
    expect(payload.monteCarlo).toMatchObject({ model: 'HOLD', paths: 500, observedDays: 0 })
    expect(payload.monteCarlo!.runwayMonthsX3).toMatchObject({ p05: monthsX3, p95: monthsX3 })
    expect(payload.sensitivity).toEqual([{ lineId: 'payroll', moreX3: -556, lessX3: 833 }])
    expect(payload.computation).toMatchObject({
      seed: '42',
      completeness: 'COMPLETED',
      currentSpendabilityEstablished: false,
      sources: [refOf(set), refOf(entry)],
    })
    const { id } = response.data.projection
    const read = await callOperation<Projection>(owner, 'getTreasuryProjection', { params: { id } })
    expect([read.status, read.data]).toEqual([200, response.data.projection])

    const again = await project(owner, {
      assumptions: refOf(set),
      monteCarlo: { paths: 500, seed: '42' },
    })
    expect(again.data.projection.payload.scenarios).toEqual(payload.scenarios)
    expect(again.data.projection.payload.monteCarlo).toEqual(payload.monteCarlo)
  })

  it('pays overdue obligations at once, unless a line links them', async ({
    testChain,
    owner,
    scene: { asset },
  }) => {
    const owed = await debt(owner, asset, 5n)
    const plain = await assumptions(testChain, owner, asset, [])
    const first = await project(owner, { assumptions: refOf(plain) })
    expect(first.data.projection.payload.scenarios[0]!.months[0]).toMatchObject({ dueQuote: '5' })
    expect(first.data.projection.payload.ladder).toMatchObject({
      d30: { committed: '5', expected: '0', uncertain: '0' },
    })
    const later = await assumptions(testChain, owner, asset, [
      payroll(asset, 7n, { lineId: 'known', schedule: once }),
    ])
    const equal = await debt(owner, asset, 7n, { reference: 'Work 2' })
    const twice = await project(owner, { assumptions: refOf(later) })
    expect(twice.data.warnings).toContainEqual(
      expect.objectContaining({ code: 'LINE_EQUALS_OBLIGATION', subject: 'known' }),
    )
    const retired = await retire(owner, equal)
    const named = await project(owner, {
      assumptions: refOf(later),
      entries: [refOf(owed), refOf(retired)],
    })
    expect([named.status, named.code, named.fieldErrors]).toEqual([
      ...[422, 'LIQUIDITY_PROJECTION_ENTRY_NOT_ACTIVE'],
      { 'entries.1': [`must be an active holding or obligation, got ${equal.id}`] },
    ])
    const holding = (await owner.client.listTreasuryEntries()).body.data.find(
      ({ payload }) => payload.entryKind === 'ASSET',
    )
    const refused = await callOperation(owner, 'createTreasuryAssumptions', {
      body: {
        ...(await setOf(testChain, asset, [payroll(asset, 1n, { obligation: refOf(holding!) })])),
        reason,
      },
    })
    expect([refused.status, refused.code, refused.fieldErrors]).toEqual([
      ...[422, 'LIQUIDITY_ASSUMPTIONS_INCONSISTENT'],
      { 'lines.0.obligation.id': ['must be an OBLIGATION, got ASSET'] },
    ])
    const linked = await assumptions(testChain, owner, asset, [
      payroll(asset, 2n, { obligation: refOf(owed) }),
    ])
    const second = await project(owner, { assumptions: refOf(linked) })
    expect(second.data.projection.payload.scenarios[0]!.months[0]!.dueQuote).toBe('2')
  })

  it('keeps restricted parts back until they return, and leaves out what cannot be read or priced', async ({
    testChain,
    owner,
    scene: { asset },
  }) => {
    const holder = accountOf(testChain, 0)
    const { timestamp } = await testChain.chain.publicClient.getBlock()
    const soon = new Date(Number(timestamp) * 1000)
    const until = new Date(Date.UTC(soon.getUTCFullYear(), soon.getUTCMonth() + 2, 5))
    const token = await testChain.chain.deployToken(
      { name: 'T', symbol: 'T', supply: 100n },
      holder,
    )
    await testChain.chain.mine(3)
    await holding(owner, token, holder, {
      restrictions: [
        { kind: 'LOCKED_UNTIL', quantity: '30', until: `${until.toISOString().slice(0, 19)}Z` },
        { kind: 'LEGAL', quantity: '10' },
      ],
    })
    const { data } = await project(owner, {
      assumptions: refOf(await assumptions(testChain, owner, asset, [])),
    })
    const { payload, status } = data.projection
    expect(status).toBe('PARTIAL')
    expect(data.warnings).toContainEqual(
      expect.objectContaining({ code: 'PRICE_UNAVAILABLE', subject: keyOf(token) }),
    )
    const rows = payload.scenarios[0]!.months.map(
      ({ holdings }) => holdings.find(({ assetKey }) => assetKey === keyOf(token))!.closing,
    )
    expect(rows.slice(0, 4)).toEqual(['60', '60', '90', '90'])
    expect(payload.opening.find(({ assetKey }) => assetKey === keyOf(token))).toMatchObject({
      quantity: '100',
      restricted: '40',
      free: '60',
      priceX36: null,
    })
  })

  it('says how many breaks the reconciliation that it names leaves open', async ({
    testChain,
    owner,
    scene: { asset },
  }) => {
    const holder = accountOf(testChain, 3)
    const token = await testChain.chain.deployToken(
      { name: 'T', symbol: 'T', supply: 100n },
      holder,
    )
    await testChain.chain.mine(3)
    const entry = await holding(owner, token, holder)
    const warned = async () => {
      const scope = { kind: 'ENTRIES', entries: [refOf(entry)] }
      const { data: seen } = await callOperation<contract.TreasuryLedgerReconciliation>(
        ...([owner, 'previewTreasuryReconciliation', { body: { scope } }] as const),
      )
      const asOf = seen.computation.snapshot!.chains.map(({ chainId, blockNumber, blockHash }) => ({
        chainId,
        blockNumber,
        blockHash,
      }))
      const kept = await made<Named>(owner, 'createTreasuryReconciliation', {
        request: { scope, asOf },
        expectedReconciliationHash: seen.reconciliationHash,
      })
      const { data } = await project(owner, {
        assumptions: refOf(await assumptions(testChain, owner, asset, [])),
        reconciliation: refOf(kept),
      })
      const { sources } = data.projection.payload.computation
      expect(sources.at(-1)).toEqual(refOf(kept))
      return data.warnings.filter(({ code }) => code === 'RECONCILIATION_NOT_AGREED')
    }
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [accountOf(testChain, 4), 1n],
    })
    expect(await warned()).toEqual([])
    await testChain.chain.send({ from: holder, to: token, data })
    await testChain.chain.mine(3)
    expect(await warned()).toEqual([
      expect.objectContaining({
        effect: 'FLAGGED',
        detail: expect.stringMatching(/is DIFFERENCES; 1 of its \d+ lines are open breaks/),
      }),
    ])
  })

  it('has another hash of inputs once another entry takes a part of a container, at the same block', async ({
    testChain,
    owner,
    scene: { asset },
  }) => {
    const holder = accountOf(testChain, 6)
    const token = await testChain.chain.deployToken(
      { name: 'T', symbol: 'T', supply: 100n },
      holder,
    )
    await testChain.chain.mine(3)
    const rest = await holding(owner, token, holder, { allocation: { kind: 'REMAINDER' } })
    const set = await assumptions(testChain, owner, asset, [])
    const blocks = async () => {
      // The other entry was observed in one change with this one, which has another version since.
      const { body } = await owner.client.getTreasuryEntries({ params: { id: rest.id } })
      const { data } = await project(owner, {
        assumptions: refOf(set),
        entries: [refOf(body.data)],
      })
      const { opening, computation } = data.projection.payload
      return {
        hash: computation.inputsHash,
        snapshot: computation.snapshot!.snapshotHash,
        quantity: opening[0]!.quantity,
      }
    }
    const before = await blocks()
    const allocation = { kind: 'FIXED', quantity: '30', priority: 1 }
    await holding(owner, token, holder, { allocation, purpose: 'OPERATING' })
    const after = await blocks()
    expect([before.quantity, after.quantity]).toEqual(['100', '70'])
    expect(after.snapshot).toBe(before.snapshot)
    expect(after.hash).not.toBe(before.hash)
  })

  it('counts only the named entries, and reports omitted ones', async ({
    testChain,
    owner,
    scene: { asset },
  }) => {
    const entries = (await owner.client.listTreasuryEntries()).body.data
    const set = await assumptions(testChain, owner, asset, [])
    const named = await project(owner, {
      assumptions: refOf(set),
      entries: [refOf(entries.at(-1)!)],
    })
    expect(named.data.warnings).toContainEqual(
      expect.objectContaining({ code: 'ENTRIES_LEFT_OUT', effect: 'FLAGGED' }),
    )
    const shared = await assumptions(testChain, owner, asset, [
      payroll(asset, 1n, { ownTokenSharePips: 250_000 }),
    ])
    const inFull = await project(owner, { assumptions: refOf(shared) })
    expect(inFull.data.warnings).toContainEqual(
      expect.objectContaining({ code: 'OWN_TOKEN_SHARE_NOT_APPLIED', subject: 'payroll' }),
    )
    const stale = { ...refOf(set), resourceVersion: `0x${'0'.repeat(64)}` }
    const changed = await project(owner, { assumptions: stale })
    expect([changed.status, changed.code, Object.keys(changed.fieldErrors)]).toEqual([
      ...[412, 'LIQUIDITY_PROJECTION_SOURCE_CHANGED', ['assumptions']],
    ])
    // An earlier version can be projected, and is no source of headlines and gates.
    const revised = await callOperation<{ assumptions?: Named }>(
      owner,
      'reviseTreasuryAssumptions',
      {
        params: { id: set.id },
        ifMatch: set.resourceVersion,
        body: { assumptions: await setOf(testChain, asset, [payroll(asset, 5n)]), reason },
      },
    )
    expect([revised.status, revised.code, revised.fieldErrors]).toEqual([201, '', {}])
    const earlier = await project(owner, { assumptions: refOf(set) })
    expect([earlier.status, earlier.code]).toEqual([201, ''])
    expect(earlier.data.projection.payload.request.assumptions.resourceVersion).toBe(
      set.resourceVersion,
    )
    expect(earlier.data.warnings).toContainEqual(
      expect.objectContaining({ code: 'ASSUMPTIONS_SUPERSEDED', effect: 'FLAGGED' }),
    )
    const { data: summary } = await callOperation<object>(owner, 'getTreasurySummary')
    expect(JSON.stringify(summary)).not.toContain(earlier.data.projection.id)
    expect(JSON.stringify(summary)).toContain(inFull.data.projection.id)
    const foreign = { ...refOf(set), id: `treasury_assumptions_${'0'.repeat(32)}` }
    const missing = await project(owner, { assumptions: foreign })
    expect([missing.status, missing.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    const balances = await project(owner, { assumptions: refOf(set), balances: [] })
    expect(balances.status).toBe(400)
    const other = await project(owner, { assumptions: refOf(set), scenarioIds: ['winter'] })
    expect([other.status, other.code]).toEqual([422, 'LIQUIDITY_PROJECTION_UNKNOWN_SCENARIO'])
    const over = await assumptions(testChain, owner, asset, [], { startMonth: '2020-01' })
    const ended = await project(owner, { assumptions: refOf(over) })
    expect([ended.status, ended.code]).toEqual([422, 'LIQUIDITY_PROJECTION_HORIZON_OVER'])
  })

  it('is refused where it is too much to compute, with how many paths would fit', async ({
    testChain,
    owner,
    scene: { asset },
  }) => {
    const lines = Array.from({ length: 100 }, (_, index) =>
      payroll(asset, 1n, {
        lineId: `line-${index}`,
        certainty: 'UNCERTAIN',
        probabilityPips: 500_000,
      }),
    )
    const set = await assumptions(testChain, owner, asset, lines, { horizonMonths: 60 })
    const many = await project(owner, { assumptions: refOf(set), monteCarlo: { paths: 20_000 } })
    expect([many.status, many.code]).toEqual([422, 'LIQUIDITY_PROJECTION_TOO_LARGE'])
    const [message = ''] = many.fieldErrors['monteCarlo.paths'] ?? []
    const [, fitting = ''] = /must be at most (\d+) for .*, got 20000/.exec(message) ?? []
    expect(Number(fitting)).toBeGreaterThanOrEqual(500)
    expect(Number(fitting)).toBeLessThan(2000)
    expect((await project(owner, { assumptions: refOf(set) })).status).toBe(201)
  })

  it('is computed no longer than its sender waits, and afresh under the same key', async ({
    service,
    testChain,
    owner,
    scene: { asset },
  }) => {
    const lines = Array.from({ length: 20 }, (_, index) =>
      payroll(asset, 1n, { lineId: `line-${index}` }),
    )
    const body = {
      reason,
      assumptions: refOf(await assumptions(testChain, owner, asset, lines, { horizonMonths: 60 })),
      monteCarlo: { paths: 10_000, seed: '1' },
    }
    const idempotencyKey = 'projection key of who left'
    const gone = new AbortController()
    const threads = vi.spyOn(service.services.awaited, 'run').mockImplementationOnce((...task) => {
      threads.mockRestore()
      gone.abort()
      return service.services.awaited.run(...task)
    })
    const options = {
      ...owner.options,
      fetch: ((url, init) => fetch(url, { ...init, signal: gone.signal })) as typeof fetch,
    }
    const request = { body, idempotencyKey }
    await expect(send(options, contract.createTreasuryProjection, request)).rejects.toThrow(
      /abort/i,
    )
    await until('the end of its computing', async () =>
      /operation="createTreasuryProjection",status="499"/.test(
        await service.services.metrics.print(),
      ),
    )
    const again = await callOperation(owner, 'createTreasuryProjection', request)
    expect([again.status, again.isReplayed]).toEqual([201, false])
  })

  it('is 201, then 200 under its key, and 409 for another scenario', async ({
    testChain,
    owner,
    scene: { asset },
  }) => {
    const set = await assumptions(testChain, owner, asset, [])
    const key = { idempotencyKey: 'projection key 1' }
    const first = await project(owner, { assumptions: refOf(set) }, key)
    const again = await project(owner, { assumptions: refOf(set) }, key)
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      ...[201, 200, 'true'],
    ])
    expect(again.data).toEqual(first.data)
    const other = await project(owner, { assumptions: refOf(set), scenarioIds: ['base'] }, key)
    expect(other.status).toBe(409)
  })
})

describe('the summary', () => {
  /** A reconciliation of everything that is held now. */
  async function compared(owner: TestMember, more: object = {}) {
    const scope = { kind: 'ALL_ACTIVE' }
    const { data: seen } = await callOperation<contract.TreasuryLedgerReconciliation>(
      ...([owner, 'previewTreasuryReconciliation', { body: { scope } }] as const),
    )
    const asOf = seen.computation.snapshot!.chains.map(({ chainId, blockNumber, blockHash }) => ({
      chainId,
      blockNumber,
      blockHash,
    }))
    return made<VersionedRecord<contract.TreasuryLedgerReconciliation>>(
      owner,
      'createTreasuryReconciliation',
      { request: { scope, asOf }, expectedReconciliationHash: seen.reconciliationHash, ...more },
    )
  }

  it('excludes the own token from every total, and reports age and evidence of the figures', async ({
    testChain,
    owner,
    scene: { asset, base },
  }) => {
    const own = await holding(owner, base, accountOf(testChain, 0))
    const { payload, ...whole } = await compared(owner)
    const { data, status } = await callOperation<contract.TreasurySummary>(
      owner,
      'getTreasurySummary',
    )
    expect(status).toBe(200)
    expect(data.ownToken.map(({ entry }) => entry.id)).toEqual([own.id])
    expect(data.holdings.some(({ assetKey }) => assetKey === keyOf(base))).toBe(false)
    expect(data.byAsset.some(({ assetKey }) => assetKey === keyOf(base))).toBe(false)
    expect(data.holdings[0]).toMatchObject({ proof: 'MERKLE', ageSeconds: expect.any(Number) })
    expect(data.obligations).toMatchObject([
      { assetKey: asset, ladder: { d30: { committed: '5' } } },
    ])
    expect(data.latest.projection.availability).toBe('FOUND')
    const { source, ...newest } = data.latest.reconciliation
    expect(source!.id).toBe(whole.id)
    const opened = payload.lines.flatMap(({ firstSeenAt }) => firstSeenAt ?? []).toSorted()
    expect(opened.length).toBeGreaterThan(0)
    const age = Date.parse(data.asOf) - Date.parse(opened[0]!)
    expect(newest).toMatchObject({
      availability: 'FOUND',
      agreement: payload.agreement,
      openBreaks: opened.length,
      oldestBreakDays: Math.floor(age / dayMilliseconds),
    })
    expect(data.snapshots.map(({ entries }) => entries).reduce((a, b) => a + b)).toBe(
      data.holdings.length + data.ownToken.length,
    )
    const oldest = Math.max(...data.holdings.map(({ ageSeconds }) => ageSeconds))
    const [entries, ...computed] = data.freshness
    expect(entries).toMatchObject({ ageSeconds: oldest, stale: oldest > 86_400 })
    expect(computed.map(({ family, stale }) => [family, stale])).toEqual(
      contract.freshFamilies.slice(1).map((family) => [family, false]),
    )
    expect(data.control).toEqual({ proofs: 0, nextExpiry: null })
    expect(data.currentSpendabilityEstablished).toBe(false)
  })

  it('takes the reconciliation of the latest blocks, and a later note does not refresh it', async ({
    service,
    testChain,
    owner,
  }) => {
    const holder = accountOf(testChain, 7)
    const token = await testChain.chain.deployToken({ name: 'T', symbol: 'T', supply: 1n }, holder)
    await testChain.chain.mine(3)
    await holding(owner, token, holder)
    const latest = async () => {
      const { data } = await callOperation<contract.TreasurySummary>(owner, 'getTreasurySummary')
      return { ...data.latest.reconciliation, asOf: data.asOf }
    }
    const older = await compared(owner)
    await testChain.chain.mine(3)
    const newer = await compared(owner)
    expect((await latest()).source).toEqual(refOf(newer))
    await testChain.chain.mine(3)
    const { id, resourceVersion } = older
    const repeated = await compared(owner, { reconciliationId: id, resourceVersion })
    expect((await latest()).source).toEqual(refOf(repeated))
    service.clock.advance(600_000)
    const seen = await callOperation<VersionedRecord<contract.TreasuryLedgerReconciliation>>(
      owner,
      'acknowledgeTreasuryReconciliation',
      {
        params: { id },
        ifMatch: repeated.resourceVersion,
        body: { lineKeys: 'ALL', assertion: 'MAPPING_CONFIRMED', note: 'Looked at it', reason },
      },
    )
    expect([seen.status, seen.data.sequence]).toEqual([200, 3])
    const { source, ageSeconds, asOf } = await latest()
    expect(source).toEqual(refOf(seen.data))
    const { asOf: readAt } = seen.data.payload.computation.snapshot!
    expect(ageSeconds).toBe(Math.floor((Date.parse(asOf) - Date.parse(readAt)) / 1000))
    expect(ageSeconds).toBeGreaterThan(60)
  })

  it('and projections hold together as a whole', async ({ service, owner }) => {
    const { database, services } = service
    const report = await verifyHistory(database, owner.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})

describe('cash', () => {
  it('below its minimum is announced once', async ({
    service,
    testChain,
    owner,
    scene: { asset },
  }) => {
    const holder = accountOf(testChain, 6)
    const token = await testChain.chain.deployToken(
      { name: 'T', symbol: 'T', supply: 100n },
      holder,
    )
    await testChain.chain.mine(3)
    const entry = await holding(owner, token, holder)
    const set = await assumptions(testChain, owner, asset, [], { minimumCashQuote: '1' })
    const kinds = async () => {
      const { data } = await project(owner, { assumptions: refOf(set), entries: [refOf(entry)] })
      const events = await recordsOf(service, owner).events(data.projection.id)
      return events.map(({ kind, payload }) => [kind.split('.').at(-1), payload.scenarios])
    }
    const crossed = ['threshold_crossed', [expect.objectContaining({ isBelow: true })]]
    const [, first] = await kinds()
    expect(first).toEqual(crossed)
    expect(await kinds()).toHaveLength(1)
  })
})
