// @module-tag long
// @covers apps/server/src/families/plan/treasury-entries

import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { erc20Abi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, getAddress } from 'viem'
import { describe, expect } from 'vitest'
import { expireReservations } from '../src/families/plan/treasury-entries/reservation-expiry.ts'
import { daySeconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { type TestChain, validatedPool } from './support/chain.ts'
import { chainTest } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, signInAgain, type TestMember, type TestService } from './support/service.ts'

type Bucket = VersionedRecord<contract.TreasuryBucket>
type Held = VersionedRecord<contract.TreasuryHolding>
type Study = VersionedRecord<contract.CapitalRequirementStudy>
interface Result {
  reservations: Bucket[]
  sources: Held[]
  capitalRequirement: Study
  executionAuthorityGranted: boolean
}
type Named = { id: string; resourceType: string; resourceVersion: string }

const it = chainTest.extend('scene', { scope: 'file' }, async ({ testChain, owner }) => {
  const { pair } = (await validatedPool(owner, testChain)).payload
  const [token, quote] = [pair.base as Address, pair.quote as Address]
  return { token, quote }
})

const reason = 'For the test'
const e18 = 10n ** 18n
const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`
const refOf = ({ id, resourceType, resourceVersion }: Named) => ({
  id,
  resourceType,
  resourceVersion,
})
const inDays = (service: TestService, days: number) =>
  new Date(service.clock.read() + days * daySeconds * 1000).toISOString()

async function pay(
  testChain: TestChain,
  token: Address,
  from: Address,
  to: Address,
  amount: bigint,
) {
  const args = [to, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await testChain.chain.send({ from, to: token, data })
  await testChain.chain.mine(70)
}

let next = 0
/** An account of its own with so many tokens, and an entry of it; the first one can pay. */
async function funded(
  testChain: TestChain,
  owner: TestMember,
  token: Address,
  amount: bigint,
  more: object = {},
) {
  next += 1
  const account =
    next === 1
      ? testChain.chain.accounts[6]!.address
      : getAddress(`0x${`${next}`.padStart(40, 'a')}`)
  await pay(testChain, token, testChain.chain.accounts[0]!.address, account, amount)
  const { data, fieldErrors } = await callOperation<Held>(owner, 'createTreasuryEntries', {
    body: {
      payload: {
        entryKind: 'ASSET',
        label: 'Programme',
        asset: keyOf(token),
        purpose: 'LIQUIDITY_PROGRAM',
        container: { kind: 'EOA', chainId: 31_337, address: account },
        ...more,
      },
      reason,
    },
  })
  expect(fieldErrors).toEqual({})
  return { account, entry: data }
}

async function study(
  owner: TestMember,
  token: Address,
  quote: Address,
  more: object = {},
): Promise<Study> {
  const { data, fieldErrors } = await callOperation<Study>(owner, 'createCapitalRequirements', {
    body: {
      payload: {
        label: 'Launch',
        token: keyOf(token),
        quote: keyOf(quote),
        reference: { kind: 'DECLARED', priceX18: `${e18}` },
        targets: [{ side: 'BOTH', movePips: 20_000, depthQuote: `${100n * e18}` }],
        shapes: [{ shapeId: 'whole', sharePips: 1_000_000, feePips: 3_000, shape: { kind: 'V2' } }],
        volatility: { kind: 'DECLARED', annualPips: 500_000 },
        ...more,
      },
      reason,
    },
  })
  expect(fieldErrors).toEqual({})
  return data
}

const reserve = (
  owner: TestMember,
  { id, resourceVersion }: Named,
  reservations: object[],
  {
    by = owner,
    ...more
  }: { by?: TestMember; ifMatch?: string; studyResourceVersion?: string } = {},
) =>
  callOperation<Result>(by, 'reserveTreasuryFromCapitalStudy', {
    params: { id },
    body: {
      studyResourceVersion: resourceVersion,
      reservations,
      purpose: 'Launch',
      reason,
      ...('studyResourceVersion' in more
        ? { studyResourceVersion: more.studyResourceVersion }
        : {}),
    },
    ...(more.ifMatch ? { ifMatch: more.ifMatch } : {}),
  })
const part = (
  service: TestService,
  entry: Named,
  quantity: bigint,
  expiresAt = inDays(service, 30),
) => ({
  entry: refOf(entry),
  quantity: `${quantity}`,
  expiresAt,
})
const current = async (owner: TestMember, id: string) =>
  (await callOperation<Held>(owner, 'getTreasuryEntries', { params: { id } })).data
const amounts = ({ payload: { split } }: Held) => [
  split!.unrestricted,
  split!.restricted,
  split!.reserved,
]

describe('a reservation', () => {
  it('is a mark in the ledger that frees nothing and moves nothing', async ({
    service,
    testChain,
    owner,
    scene: { token, quote },
  }) => {
    const { account, entry } = await funded(testChain, owner, token, 1000n * e18, {
      restrictions: [{ kind: 'LEGAL', quantity: `${100n * e18}` }],
    })
    const of = await study(owner, token, quote)
    const { status, data, fieldErrors } = await reserve(owner, of, [
      part(service, entry, 600n * e18),
    ])
    expect([status, fieldErrors]).toEqual([201, {}])
    const [made] = data.reservations
    expect(made).toMatchObject({
      status: 'ACTIVE',
      payload: {
        entryKind: 'RESERVATION',
        quantity: `${600n * e18}`,
        source: { id: entry.id },
        capitalRequirement: refOf(of),
      },
    })
    expect(amounts(data.sources[0]!)).toEqual([`${300n * e18}`, `${100n * e18}`, `${600n * e18}`])
    expect(data).toMatchObject({
      executionAuthorityGranted: false,
      capitalRequirement: { id: of.id },
    })
    expect(await current(owner, entry.id)).toEqual(data.sources[0])
    // Nobody else can take it, by this study or another.
    const again = await reserve(owner, await study(owner, token, quote), [
      part(service, data.sources[0]!, 300n * e18 + 1n),
    ])
    expect([again.status, again.code, again.fieldErrors]).toEqual([
      ...[409, 'LIQUIDITY_TREASURY_RESERVATION_EXCEEDS_AVAILABLE'],
      {
        'reservations.0.quantity': [
          `must be at most ${300n * e18}, the unrestricted and unreserved quantity, got ${300n * e18 + 1n}`,
        ],
      },
    ])
    // A holding of which something is reserved stays in the books.
    const retired = await callOperation(owner, 'retireTreasuryLedgerEntry', {
      params: { id: entry.id },
      ifMatch: data.sources[0]!.resourceVersion,
      body: { disposition: 'MOVED', reason },
    })
    expect([retired.status, retired.code]).toEqual([409, 'LIQUIDITY_TREASURY_ENTRY_ENCUMBERED'])
    // What it keeps survives the next observation; a source that falls below it is told and none is cut.
    await pay(testChain, token, account, testChain.chain.accounts[0]!.address, 500n * e18)
    const refreshed = await callOperation<Held>(owner, 'refreshTreasuryLedgerEntry', {
      params: { id: entry.id },
      ifMatch: data.sources[0]!.resourceVersion,
      body: { reason },
    })
    expect(refreshed.data.status).toBe('PARTIAL')
    expect(amounts(refreshed.data)).toEqual(['0', `${100n * e18}`, `${400n * e18}`])
    expect(refreshed.data.payload.rollForward).toMatchObject({ outflow: `${500n * e18}` })
    expect(refreshed.data.payload.computation.gaps).toMatchObject([
      { code: 'OWN_TOKEN_UNDECLARED', effect: 'FLAGGED' },
      { code: 'OVER_RESERVED', detail: expect.stringContaining(`${200n * e18}`) },
    ])
    // Released, it frees what there is.
    const released = await callOperation<Bucket>(owner, 'retireTreasuryLedgerEntry', {
      params: { id: made!.id },
      ifMatch: made!.resourceVersion,
      body: { disposition: 'RELEASED', reason },
    })
    expect([released.data.status, released.data.payload.disposition]).toEqual([
      ...['RETIRED', 'RELEASED'],
    ])
    const free = await current(owner, entry.id)
    expect([free.status, ...amounts(free)]).toEqual([
      ...['ACTIVE', `${400n * e18}`, `${100n * e18}`, '0'],
    ])
  })

  it('concurrent reservations never exceed the free amount', async ({
    service,
    testChain,
    owner,
    scene: { token, quote },
  }) => {
    const { entry } = await funded(testChain, owner, token, 1000n * e18)
    const of = await study(owner, token, quote)
    const tries = 12
    const taken: bigint[] = []
    for (let round = 0; round < 4; round += 1) {
      const now = await current(owner, entry.id)
      const answers = await Promise.all(
        Array.from({ length: tries }, () => reserve(owner, of, [part(service, now, 300n * e18)])),
      )
      const won = answers.filter(({ status }) => status === 201)
      // All name one version, so one changes it and the others meet another, or find too little.
      expect(won.length).toBeLessThanOrEqual(1)
      taken.push(...won.map(() => 300n * e18))
      for (const { status, code } of answers.filter((one) => one.status !== 201)) {
        expect([409, 412]).toContain(status)
        expect(code).toMatch(/SOURCE_VERSION_CHANGED|EXCEEDS_AVAILABLE/)
      }
    }
    expect(taken).toHaveLength(3)
    const { payload } = await current(owner, entry.id)
    expect(payload.split).toMatchObject({
      unrestricted: `${100n * e18}`,
      reserved: `${900n * e18}`,
    })
  })

  it('ends automatically, swept or not, and frees its amount', async ({
    service,
    testChain,
    owner,
    scene: { token, quote },
  }) => {
    const { entry } = await funded(testChain, owner, token, 100n * e18)
    const of = await study(owner, token, quote)
    const { data } = await reserve(owner, of, [
      part(service, entry, 100n * e18, inDays(service, 1)),
    ])
    const [made] = data.reservations
    service.clock.advance(daySeconds * 1000 + 1)
    await signInAgain(service, owner)
    // Its time is over, so it keeps nothing although nobody wrote that down.
    const other = await reserve(owner, of, [part(service, data.sources[0]!, 40n * e18)])
    expect([other.status, amounts(other.data.sources[0]!)]).toEqual([
      ...[201, [`${60n * e18}`, '0', `${40n * e18}`]],
    ])
    await expireReservations(service.services)
    await expireReservations(service.services)
    expect((await current(owner, made!.id)).status).toBe('EXPIRED')
    expect(amounts(await current(owner, entry.id))).toEqual([`${60n * e18}`, '0', `${40n * e18}`])
    const late = await callOperation(owner, 'retireTreasuryLedgerEntry', {
      params: { id: made!.id },
      ifMatch: (await current(owner, made!.id)).resourceVersion,
      body: { disposition: 'RELEASED', reason },
    })
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_TREASURY_ENTRY_RETIRED'])
  })

  it('ends also where its holding has ended, which it does not prevent once its time is over', async ({
    service,
    testChain,
    owner,
    scene: { token, quote },
  }) => {
    const { entry } = await funded(testChain, owner, token, 10n * e18)
    const { data } = await reserve(owner, await study(owner, token, quote), [
      part(service, entry, 10n * e18, inDays(service, 1)),
    ])
    service.clock.advance(daySeconds * 1000 + 1)
    await signInAgain(service, owner)
    const retired = await callOperation(owner, 'retireTreasuryLedgerEntry', {
      params: { id: entry.id },
      ifMatch: data.sources[0]!.resourceVersion,
      body: { disposition: 'MOVED', reason },
    })
    expect([retired.status, retired.fieldErrors]).toEqual([200, {}])
    await expireReservations(service.services)
    expect((await current(owner, data.reservations[0]!.id)).status).toBe('EXPIRED')
    expect((await current(owner, entry.id)).status).toBe('RETIRED')
  })

  it('of two at once, of whatever holdings, never makes more than the study needs', async ({
    service,
    testChain,
    owner,
    scene: { token, quote },
  }) => {
    const of = await study(owner, token, quote)
    const needed = BigInt(of.payload.total!.token)
    const held = [
      await funded(testChain, owner, token, needed),
      await funded(testChain, owner, token, needed),
    ]
    const answers = await Promise.all(
      held.map(({ entry }) => reserve(owner, of, [part(service, entry, (needed * 3n) / 4n)])),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422])
  })

  it('of several holdings is made whole or not at all', async ({
    service,
    testChain,
    owner,
    scene: { token, quote },
  }) => {
    const [a, b] = [
      await funded(testChain, owner, token, 10n * e18),
      await funded(testChain, owner, token, 10n * e18),
    ]
    const of = await study(owner, token, quote)
    const { status } = await reserve(owner, of, [
      part(service, a.entry, 10n * e18),
      part(service, b.entry, 11n * e18),
    ])
    expect([status, (await current(owner, a.entry.id)).resourceVersion]).toEqual([
      409,
      a.entry.resourceVersion,
    ])
    const both = await reserve(owner, of, [
      part(service, a.entry, 10n * e18),
      part(service, b.entry, 10n * e18),
    ])
    expect(both.data.sources.map(({ id }) => id)).toEqual([a.entry.id, b.entry.id])
  })
})

describe('a request', () => {
  it('is refused by field where it contradicts the study, itself or the calendar', async ({
    service,
    testChain,
    owner,
    scene: { token, quote },
  }) => {
    const { entry } = await funded(testChain, owner, token, 10n * e18)
    const small = await study(owner, token, quote, {
      targets: [{ side: 'BUY', movePips: 20_000, depthQuote: `${e18 / 1000n}` }],
    })
    const invalid = 'LIQUIDITY_TREASURY_RESERVATION_INVALID'
    const refused = async (of: Named, parts: object[]) => {
      const { status, code, fieldErrors } = await reserve(owner, of, parts)
      return [status, code, Object.keys(fieldErrors)]
    }
    expect(await refused(small, [part(service, entry, 10n * e18)])).toEqual([
      ...[422, invalid, ['reservations.0.quantity']],
    ])
    const one = part(service, entry, 1n)
    expect(await refused(small, [one, one])).toEqual([422, invalid, ['reservations.1.entry']])
    expect(await refused(small, [part(service, entry, 0n)])).toEqual([
      ...[422, invalid, ['reservations.0.quantity']],
    ])
    for (const days of [-1, 91]) {
      expect(await refused(small, [part(service, entry, 1n, inDays(service, days))])).toEqual([
        ...[422, invalid, ['reservations.0.expiresAt']],
      ])
    }
    const turned = await study(owner, token, quote, { token: keyOf(quote), quote: 'iso4217:USD' })
    expect(await refused(turned, [one])).toEqual([422, invalid, ['reservations.0.entry']])
    const abstained = await study(owner, token, quote, {
      reference: { kind: 'ORACLE', providerId: 'nobody' },
    })
    expect(await refused(abstained, [one])).toEqual([
      ...[409, 'LIQUIDITY_CAPITAL_STUDY_UNUSABLE', ['id']],
    ])
    const older = { ...entry, resourceVersion: `0x${'1'.repeat(64)}` }
    expect(await refused(small, [part(service, older, 1n)])).toEqual([
      ...[412, 'LIQUIDITY_SOURCE_VERSION_CHANGED', ['reservations.0.entry']],
    ])
    const direct = await callOperation(owner, 'createTreasuryEntries', {
      body: { payload: { entryKind: 'RESERVATION' }, reason },
    })
    expect([direct.status, direct.code]).toEqual([422, 'LIQUIDITY_TREASURY_RESERVATION_NOT_DIRECT'])
  })

  it('names the version that was reviewed, by who keeps the books and signed in lately', async ({
    service,
    testChain,
    owner,
    scene: { token, quote },
  }) => {
    const { entry } = await funded(testChain, owner, token, 10n * e18)
    const of = await study(owner, token, quote)
    const parts = [part(service, entry, 1n)]
    const unnamed = await callOperation(owner, 'reserveTreasuryFromCapitalStudy', {
      params: { id: of.id },
      body: { reservations: parts, purpose: 'Launch', reason },
    })
    expect([unnamed.status, unnamed.code]).toEqual([428, 'LIQUIDITY_STUDIO_PRECONDITION_REQUIRED'])
    const other = `0x${'2'.repeat(64)}`
    expect((await reserve(owner, { ...of, resourceVersion: other }, parts)).status).toBe(412)
    expect((await reserve(owner, of, parts, { ifMatch: other })).code).toBe(
      'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    )
    const operator = await newMember(service, owner.organizationId, 'OPERATOR')
    expect((await reserve(owner, of, parts, { by: operator })).status).toBe(403)
    const admin = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
    service.clock.advance(11 * 60_000)
    const stale = await reserve(owner, of, parts, { by: admin })
    expect([stale.status, stale.code]).toEqual([401, 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'])
    const fresh = await newMember(service, owner.organizationId, 'TREASURY_ADMIN')
    expect((await reserve(owner, of, parts, { by: fresh })).status).toBe(201)
    await signInAgain(service, owner)
    const { database, services } = service
    const report = await verifyHistory(database, owner.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})
