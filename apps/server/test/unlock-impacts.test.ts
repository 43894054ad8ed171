import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import {
  deployLockups,
  deploySablierLockup,
  deployVestingWallet,
  erc20Abi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { describe, expect } from 'vitest'
import { daySeconds, yearSeconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import type { TestChain } from './support/chain.ts'
import { chainTest } from './support/fixtures.ts'
import { type ObservedVenue, observedVenue } from './support/observed-venue.ts'
import { callOperation } from './support/requests.ts'
import { newMember, type TestMember } from './support/service.ts'

type Impact = VersionedRecord<contract.UnlockImpact>
type Named = { id: string; resourceType: string; resourceVersion: string }

const e18 = 10n ** 18n
const reason = 'For the test'
const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const refOf = ({ id, resourceType, resourceVersion }: Named) => ({
  id,
  resourceType,
  resourceVersion,
})
const account = (testChain: TestChain, index: number) => testChain.chain.accounts[index]!.address

const it = chainTest.extend('scene', { scope: 'file' }, async ({ service, testChain, owner }) => {
  const observed = await observedVenue(service, owner, testChain)
  const token = observed.pair.base as Address
  const now = Number((await testChain.chain.publicClient.getBlock()).timestamp)
  const lockups = await deployLockups(testChain.chain, account(testChain, 7))
  await lockups.streamLinear(token, 1_000n * e18, {
    start: now - 100 * daySeconds,
    cliff: now + 20 * daySeconds,
    end: now - 100 * daySeconds + yearSeconds,
  })
  await lockups.streamLinear(token, 500n * e18, {
    start: now - 50 * daySeconds,
    cliff: 0,
    end: now + 50 * daySeconds,
  })
  await lockups.streamTranches(token, now, [
    { amount: 7n * e18, timestamp: now + 10 * daySeconds },
    { amount: 9n * e18, timestamp: now + 40 * daySeconds },
  ])
  const wallet = await deployVestingWallet(testChain.chain, {
    beneficiary: account(testChain, 8),
    start: now - 10 * daySeconds,
    duration: 100 * daySeconds,
  })
  const args = [wallet, 300n * e18] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await testChain.chain.send({ from: account(testChain, 0), to: token, data })
  await testChain.chain.mine(70)
  return { observed, token, lockups, wallet, now }
})

const declared = (events: object[], more: object = {}) => ({
  label: 'Declared',
  recipientClass: 'TEAM',
  source: { kind: 'DECLARED', events },
  ...more,
})
const sablier = (address: Address, ids: string[], more: object = {}) => ({
  label: 'Streams',
  recipientClass: 'INVESTOR',
  source: { kind: 'SABLIER_LOCKUP', chainId: 31_337, address, ids },
  ...more,
})
const vestingWallet = (address: Address) => ({
  label: 'Wallet',
  recipientClass: 'ECOSYSTEM',
  source: { kind: 'OZ_VESTING_WALLET', chainId: 31_337, address },
})
const dayOf = (seconds: number) => Math.floor(seconds / daySeconds) * daySeconds
const impact = (
  owner: TestMember,
  observed: ObservedVenue,
  token: Address,
  now: number,
  payload: object,
  by = owner,
) =>
  callOperation<Impact>(by, 'createUnlockImpacts', {
    body: {
      payload: {
        label: 'Test',
        token: keyOf(token),
        quote: keyOf(observed.pair.quote),
        window: { from: iso(dayOf(now)), to: iso(dayOf(now) + 60 * daySeconds) },
        ...payload,
      },
      reason,
    },
  })
const cliff = (now: number, amount: bigint, at = now + 30 * daySeconds) => ({
  kind: 'CLIFF',
  at: iso(at),
  amount: `${amount}`,
})

describe('schedules', () => {
  it('of original streams and wallets unlock exactly the amounts of the contracts', async ({
    testChain,
    owner,
    scene: { observed, token, lockups, wallet, now },
  }) => {
    const { status, data, fieldErrors } = await impact(owner, observed, token, now, {
      schedules: [
        sablier(lockups.linear, ['1', '2']),
        sablier(lockups.tranched, ['1']),
        vestingWallet(wallet),
      ],
    })
    expect([status, fieldErrors]).toEqual([201, {}])
    const { schedules, fundedCheck, computation, supply } = data.payload
    const { blockNumber } = computation.snapshot!.chains[0]!
    expect(schedules.map(({ total }) => BigInt(total!) / e18)).toEqual([1_500n, 16n, 300n])
    // What was free before the window, as the contracts themselves say at its first second.
    const before = BigInt(dayOf(now) - 1)
    const vestedAbi = parseAbi(['function vestedAmount(address, uint64) view returns (uint256)'])
    const unlocked = await testChain.chain.publicClient.readContract({
      address: wallet,
      abi: vestedAbi,
      functionName: 'vestedAmount',
      args: [token, before],
      blockNumber: BigInt(blockNumber),
    })
    expect(schedules[2]!.unlocked).toBe(`${unlocked}`)
    // 500 evenly over a hundred days, of which sixty lie in the window; the other stream begins with its cliff.
    const [streams, tranches, evenly] = schedules
    expect(BigInt(tranches!.inWindow)).toBe(16n * e18)
    expect(Number(evenly!.inWindow) / 1e18).toBeCloseTo((300 * 60) / 100, 1)
    const cliffAt = 1_000 * (120 / 365)
    expect(Number(streams!.inWindow) / 1e18).toBeCloseTo(cliffAt + (1_000 * 40) / 365 + 250, -1)
    expect(fundedCheck).toMatchObject([
      { owed: `${1_500n * e18}`, balance: `${1_500n * e18}`, isFunded: true },
      { owed: `${16n * e18}`, isFunded: true },
      { owed: `${300n * e18}`, isFunded: true },
    ])
    const days = data.payload.days.reduce((sum, { unlocked }) => sum + BigInt(unlocked), 0n)
    expect(`${days}`).toBe(supply.unlocking)
    expect(supply.circulatingMethod).toContain(`eip155:31337:${wallet.toLowerCase()}`)
    expect(BigInt(supply.circulating!)).toBe(BigInt(supply.total!) - 1_816n * e18)
    expect(data.payload.cliffs.flatMap(({ schedules: of }) => of)).toContain('Streams')
  })

  it('of withdrawn and canceled streams equal the rest', async ({
    testChain,
    owner,
    scene: { observed, token, lockups, now },
  }) => {
    await lockups.withdraw(lockups.linear, 2n, account(testChain, 7))
    await lockups.cancel(lockups.linear, 2n)
    await testChain.chain.mine(70)
    const { data } = await impact(owner, observed, token, now, {
      schedules: [sablier(lockups.linear, ['1', '2'])],
    })
    const { schedules, fundedCheck, computation } = data.payload
    expect(schedules[0]!.total).toBe(`${1_000n * e18}`)
    // Between withdrawal and cancellation some seconds streamed, which the contract still owes.
    expect(BigInt(fundedCheck[0]!.owed) - 1_000n * e18).toBeLessThan(e18)
    expect(fundedCheck[0]!.isFunded).toBe(true)
    expect(computation.gaps.map(({ code }) => code)).toContain('STREAM_CANCELLED')
  })

  it('of Sablier Lockup unlock exactly the amounts of the contract, and dynamic ones are rejected', async ({
    testChain,
    owner,
    scene: { observed, token, now },
  }) => {
    const lockup = await deploySablierLockup(testChain.chain, account(testChain, 7))
    const start = now - 10 * daySeconds
    await lockup.streamLinear(token, {
      amount: 1_000n * e18 + 7n,
      start,
      cliff: now - 5 * daySeconds,
      end: now + 45 * daySeconds,
      unlock: { start: 100n * e18, cliff: 50n * e18 },
      granularity: 7 * daySeconds,
    })
    await lockup.streamLinear(token, {
      amount: 365n * e18 + 1n,
      start,
      cliff: 0,
      end: start + yearSeconds,
      unlock: { start: 0n, cliff: 0n },
      granularity: 1,
    })
    await lockup.streamTranches(token, now, [
      { amount: 7n * e18, timestamp: now + 10 * daySeconds },
      { amount: 9n * e18, timestamp: now + 40 * daySeconds },
    ])
    await lockup.streamDynamic(token, start, [{ amount: 8n * e18, timestamp: now + daySeconds }])
    await lockup.streamLinear(token, {
      amount: 500n * e18,
      start,
      cliff: 0,
      end: now + daySeconds,
      unlock: { start: 0n, cliff: 0n },
      granularity: 1,
    })
    await lockup.cancel(5n)
    await testChain.chain.mine(70)
    const { status, data, fieldErrors } = await impact(owner, observed, token, now, {
      schedules: [
        sablier(lockup.address, ['1', '2']),
        sablier(lockup.address, ['3', '5'], { label: 'Tranches' }),
      ],
    })
    expect([status, fieldErrors]).toEqual([201, {}])
    const [linear, tranched] = data.payload.schedules
    expect([linear!.total, tranched!.total]).toEqual([`${1_365n * e18 + 8n}`, `${16n * e18}`])
    expect(data.payload.computation.gaps.map(({ code }) => code)).toContain('STREAM_CANCELLED')
    // The contract itself, at later times of a copy of the chain.
    const { testClient, publicClient } = testChain.chain
    const snapshot = await testClient.snapshot()
    const streamedAt = async (time: number, ids: readonly bigint[]) => {
      await testClient.setNextBlockTimestamp({ timestamp: BigInt(time) })
      await testClient.mine({ blocks: 1 })
      const abi = parseAbi(['function streamedAmountOf(uint256) view returns (uint128)'])
      const amounts = await Promise.all(
        ids.map((id) =>
          publicClient.readContract({
            address: lockup.address,
            abi,
            functionName: 'streamedAmountOf',
            args: [id],
          }),
        ),
      )
      return amounts.reduce((sum, amount) => sum + amount, 0n)
    }
    const ends = [20, 40].map((days) => dayOf(now) + days * daySeconds - 1)
    const [first, second] = [
      await streamedAt(ends[0]!, [1n, 2n]),
      await streamedAt(ends[1]!, [1n, 2n]),
    ]
    await testClient.revert({ id: snapshot })
    const window = { from: iso(ends[0]! + 1), to: iso(ends[1]! + 1) }
    const later = await impact(owner, observed, token, now, {
      window,
      schedules: [sablier(lockup.address, ['1', '2'])],
    })
    const [within] = later.data.payload.schedules
    expect([within!.unlocked, within!.inWindow]).toEqual([`${first}`, `${second - first}`])

    const dynamic = await impact(owner, observed, token, now, {
      schedules: [sablier(lockup.address, ['4'])],
    })
    expect([dynamic.status, dynamic.code]).toEqual([422, 'LIQUIDITY_UNLOCK_ADAPTER_UNSUPPORTED'])
    expect(dynamic.fieldErrors['payload.schedules.0.source.address']).toEqual([
      'stream 4 is dynamic: only linear and tranched streams can be read',
    ])
  })

  it('of the ledger are the obligation in its exact version', async ({
    owner,
    scene: { observed, token, now },
  }) => {
    const { data: owed } = await callOperation<Named>(owner, 'createTreasuryEntries', {
      body: {
        payload: {
          entryKind: 'OBLIGATION',
          label: 'Grant',
          asset: keyOf(token),
          purpose: 'GRANTS',
          obligation: {
            obligationKind: 'TOKEN_VESTING',
            counterparty: 'Team',
            reference: 'Grant 1',
            amount: `${90n * e18}`,
            certainty: 'EXPECTED',
            schedule: {
              kind: 'LINEAR',
              from: iso(dayOf(now)),
              to: iso(dayOf(now) + 30 * daySeconds),
              stepSeconds: daySeconds,
            },
          },
        },
        reason,
      },
    })
    const source = { kind: 'LEDGER', obligation: refOf(owed) }
    const one = { label: 'Team', recipientClass: 'TEAM', source }
    const { data } = await impact(owner, observed, token, now, { schedules: [one] })
    expect(data.payload.schedules[0]).toMatchObject({
      total: `${90n * e18}`,
      inWindow: `${90n * e18}`,
    })
    expect(data.payload.days.slice(1, 4).map(({ unlocked }) => BigInt(unlocked) / e18)).toEqual([
      3n,
      3n,
      3n,
    ])
    expect(data.payload.computation.sources).toContainEqual(refOf(owed))
    const older = { ...refOf(owed), resourceVersion: `0x${'1'.repeat(64)}` }
    const stale = await impact(owner, observed, token, now, {
      schedules: [{ ...one, source: { ...source, obligation: older } }],
    })
    expect([stale.status, stale.code]).toEqual([412, 'LIQUIDITY_SOURCE_VERSION_CHANGED'])
    const other = await impact(owner, observed, token, now, {
      token: keyOf(observed.pair.quote),
      quote: keyOf(token),
      schedules: [one],
    })
    expect([other.status, other.code]).toEqual([422, 'LIQUIDITY_UNLOCK_TOKEN_MISMATCH'])
  })
})

describe('an impact', () => {
  const market = { dailyVolumeTokens: `${2_000_000n * e18}`, dailyVolatilityPips: 50_000 }
  const ten = 10_000_000n * e18

  it('says the published figures of ten million against two million a day', async ({
    owner,
    scene: { observed, token, now },
  }) => {
    const quantity = `${ten}`
    const { data, code, fieldErrors } = await impact(owner, observed, token, now, {
      token: 'eip155:1/erc20:0x5a98fcbea516cf06857215779fd812ca3bef1b32',
      quote: 'iso4217:USD',
      market,
      schedules: [declared([cliff(now, 2n * ten)])],
      mitigations: [
        { kind: 'LINEARISE', quantity },
        { kind: 'OTC_CARVE_OUT', quantity, days: 14 },
        { kind: 'AC_PROGRAM', quantity, days: 14 },
        { kind: 'ADD_DEPTH' },
      ],
    })
    expect([code, fieldErrors]).toEqual(['', {}])
    const [even, carved, program, depth] = data.payload.mitigations
    expect(even).toMatchObject({ days: 75, quantity })
    expect(even!.peakImpactPips).toBeLessThanOrEqual(50_000)
    expect(carved!.beforePeakPips / 1e4).toBeCloseTo(9.1, 2)
    expect(BigInt(carved!.carvedOut!) / e18).toBe(6_980_898n)
    expect(carved!.peakImpactPips! / 1e4).toBeCloseTo(5, 3)
    expect(program!.expectedCostPips).toBeGreaterThan(0)
    expect(depth).toMatchObject({ capital: null, costQuote: null })
    expect(data.payload.ratios).toMatchObject({
      daysOfVolumeX3: '10000',
      absorptionDaysX3: '50000',
    })
    expect(data.status).toBe('PARTIAL')
    expect(data.payload.computation.gaps.map(({ code }) => code).toSorted()).toEqual([
      ...['BEHAVIOUR_ASSUMED', 'CIRCULATING_UNKNOWN'],
      // The front-loaded program, and depth without a venue.
      ...['MITIGATION_ABOVE_LIMIT', 'MITIGATION_ABOVE_LIMIT'],
      ...['SCHEDULE_DECLARED', 'VENUE_UNOBSERVED'],
      ...['VOLATILITY_DECLARED', 'VOLUME_DECLARED'],
    ])
    expect(data.payload.peaks!.high.impactPips).toBeGreaterThan(data.payload.peaks!.base.impactPips)
    const again = await impact(owner, observed, token, now, {
      schedules: [declared([cliff(now, 2n * ten)])],
      market,
    })
    const twice = await impact(owner, observed, token, now, {
      schedules: [declared([cliff(now, 2n * ten)])],
      market,
    })
    expect(twice.data.artifactHash).toBe(again.data.artifactHash)
  })

  it('flags unlocks above the supply and equal declared schedules, and counts calendar months', async ({
    owner,
    scene: { observed, token, now },
  }) => {
    const events = [
      {
        kind: 'RECURRING',
        firstAt: '2027-01-31T00:00:00.000Z',
        every: 'MONTH',
        count: 3,
        amount: `${10n ** 40n}`,
      },
    ]
    const { data, fieldErrors } = await impact(owner, observed, token, now, {
      market,
      window: { from: '2027-01-01T00:00:00Z', to: '2027-06-01T00:00:00Z' },
      schedules: [declared(events), declared(events, { label: 'Again' })],
    })
    expect(fieldErrors).toEqual({})
    expect(data.payload.cliffs.map(({ date }) => date)).toEqual([
      ...['2027-01-31', '2027-02-28', '2027-03-31'],
    ])
    expect(data.payload.schedules[0]).toMatchObject({ total: `${3n * 10n ** 40n}`, events })
    const { gaps } = data.payload.computation
    expect(gaps.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['UNLOCKS_EXCEED_SUPPLY', 'SCHEDULE_DUPLICATE']),
    )
    expect(data.status).toBe('PARTIAL')
  })

  it('from the pools follows the observed curve, with the depth that would keep it', async ({
    owner,
    scene: { observed, token, now },
  }) => {
    const sold = 10n ** 17n
    const { data } = await impact(owner, observed, token, now, {
      schedules: [
        declared([cliff(now, sold)], {
          behaviour: { sellPips: { low: 0, base: 1_000_000, high: 1_000_000 }, horizonDays: 1 },
        }),
      ],
      model: { anticipationDays: 0 },
      limitPips: 1_000,
      mitigations: [{ kind: 'ADD_DEPTH' }],
    })
    const { days, peaks, mitigations, market: known } = data.payload
    const day = days.find(({ unlocked }) => unlocked !== '0')!
    expect(day).toMatchObject({ model: 'AMM', expectedSell: { base: `${sold}` } })
    expect(peaks!.base).toEqual({ date: day.date, impactPips: day.impactPips.base })
    expect(known).toMatchObject({ volumeSource: 'NONE', venues: [{ venueId: observed.venue.id }] })
    expect(data.status).toBe('PARTIAL')
    const [depth] = mitigations
    expect(BigInt(depth!.capital!.token)).toBeGreaterThan(0n)
    expect([depth!.beforePeakPips > 1_000, depth!.peakImpactPips! <= 1_000]).toEqual([true, true])
  })

  it('without volume and venue abstains', async ({ owner, scene: { observed, token, now } }) => {
    const { data } = await impact(owner, observed, token, now, {
      token: 'eip155:1/erc20:0x5a98fcbea516cf06857215779fd812ca3bef1b32',
      quote: 'iso4217:USD',
      schedules: [declared([cliff(now, 5n)])],
      mitigations: [{ kind: 'LINEARISE' }],
    })
    expect([data.status, data.payload.days, data.payload.peaks, data.payload.mitigations]).toEqual([
      ...['ABSTAINED', [], null, []],
    ])
    expect(data.payload.supply.unlocking).toBe('5')
  })
})

describe('a request', () => {
  it('is refused by field where a schedule is none, or the contract is another', async ({
    owner,
    scene: { observed, token, lockups, now },
  }) => {
    const invalid = 'LIQUIDITY_UNLOCK_SCHEDULE_INVALID'
    const at = 'payload.schedules.0.source'
    const linear = { kind: 'LINEAR', from: iso(now), to: iso(now + 10), amount: '5' }
    const cases: [payload: object, code: string, field: string][] = [
      [{ schedules: [declared([{ ...linear, to: iso(now - 10) }])] }, invalid, `${at}.events.0.to`],
      [
        { schedules: [declared([{ ...linear, cliffAt: iso(now + 20) }])] },
        invalid,
        `${at}.events.0.cliffAt`,
      ],
      [{ schedules: [declared([{ ...linear, initial: '6' }])] }, invalid, `${at}.events.0.initial`],
      [{ schedules: [declared([cliff(now, 0n)])] }, invalid, `${at}.events.0.amount`],
      [
        {
          schedules: [declared([cliff(now, 1n)])],
          window: { from: iso(now), to: iso(now + 800 * daySeconds) },
        },
        ...([invalid, 'payload.window.to'] as const),
      ],
      [
        {
          schedules: [
            declared([cliff(now, 1n)], {
              behaviour: { sellPips: { low: 3, base: 2, high: 4 }, horizonDays: 1 },
            }),
          ],
        },
        ...([invalid, 'payload.schedules.0.behaviour.sellPips'] as const),
      ],
      [{ schedules: [sablier(lockups.linear, ['99'])] }, invalid, `${at}.ids`],
      [
        { schedules: [sablier(lockups.linear, ['1', '2']), sablier(lockups.linear, ['2'])] },
        ...([invalid, 'payload.schedules.1.source.ids'] as const),
      ],
      [
        { schedules: [vestingWallet(token), vestingWallet(token)] },
        ...([invalid, 'payload.schedules.1.source.address'] as const),
      ],
      [
        { schedules: [sablier(token, ['1'])] },
        'LIQUIDITY_UNLOCK_ADAPTER_UNSUPPORTED',
        `${at}.address`,
      ],
      [
        { schedules: [vestingWallet(token)] },
        'LIQUIDITY_UNLOCK_ADAPTER_UNSUPPORTED',
        `${at}.address`,
      ],
      [
        {
          token: keyOf(observed.pair.quote),
          quote: keyOf(token),
          schedules: [sablier(lockups.linear, ['1'])],
        },
        ...(['LIQUIDITY_UNLOCK_TOKEN_MISMATCH', `${at}.ids`] as const),
      ],
    ]
    for (const [payload, code, field] of cases) {
      const { status, code: came, fieldErrors } = await impact(owner, observed, token, now, payload)
      expect([status, came, Object.keys(fieldErrors)]).toEqual([422, code, [field]])
    }
  })

  it('requires the prepare permission and a reconciled treasury', async ({
    service,
    owner,
    scene: { observed, token, now },
  }) => {
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect(
      (
        await impact(
          owner,
          observed,
          token,
          now,
          { schedules: [declared([cliff(now, 1n)])] },
          viewer,
        )
      ).status,
    ).toBe(403)
    const { database, services } = service
    const report = await verifyHistory(database, owner.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})
