// @module-tag long
// @covers apps/server/src/families/intelligence/attributions

import type { contract } from '@liquidity-os/contract'
import { v2PairAbi } from '@liquidity-os/localchain'
import type { Address, Hex } from 'viem'
import { describe, expect } from 'vitest'
import { startWorkers } from '../src/service.ts'
import { hostOf, poolBody, providerBody } from './support/chain.ts'
import { type Exchange, e18, type Order, orderOf, startExchange } from './support/execution.ts'
import { started, test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { indexTo, type VenueRef } from './support/scoring.ts'
import type { TestMember } from './support/service.ts'

export type Attribution = { id: string; status: string; payload: contract.ExecutionAttribution }

const it = test
  .extend('exchange', { scope: 'file' }, started(startExchange))
  .extend('settings', { scope: 'file' }, ({ exchange }) => ({
    OUTBOUND_ALLOW: hostOf(exchange.chain.rpcUrl),
  }))

it.beforeAll(async ({ owner, exchange }) => {
  await owner.client.putOperatingSystemProvider({ body: providerBody(exchange.chain.rpcUrl) })
})

/** Attributes some transactions of the first trader once their blocks are final. */
async function attributed(
  owner: TestMember,
  exchange: Exchange,
  hashes: readonly Hex[],
  change: object = {},
) {
  await exchange.chain.mine(30)
  const payload = orderOf(exchange, hashes, change)
  const { status, code, data, fieldErrors } = await callOperation<Attribution>(
    owner,
    'createAttributions',
    {
      body: { payload, reason: 'For the test' },
    },
  )
  expect([status, code, fieldErrors]).toEqual([201, '', {}])
  for (const fill of data.payload.fills) expectIdentity(fill.components)
  for (const fill of data.payload.fills) expectIdentity(fill.componentsPips)
  expectIdentity(data.payload.components)
  expectIdentity(data.payload.componentsPips)
  return data.payload
}

function expectIdentity(parts: object | null): void {
  if (!parts) return
  const { shortfall, impactPlusMev, ...others } = parts as Record<string, string | number | null>
  const isSplit = others.impact !== null && others.mev !== null
  const terms = isSplit ? Object.values(others) : [...Object.values(others), impactPlusMev]
  const sum = terms.reduce<bigint>((all, part) => all + BigInt(part ?? 0), 0n)
  expect(sum).toBe(BigInt(shortfall ?? 0))
}

const sell = { side: 'SELL' }
const only = (payload: contract.ExecutionAttribution) => payload.fills[0]!

describe('a fill on one pool', () => {
  it('leaves no residual and no sandwich, bought or sold, on v3 and on v2', async ({
    owner,
    exchange,
  }) => {
    const { base, quote, traders, swap, trade, block } = exchange
    const [trader] = traders as [Address]
    const fills: [Order, object][] = [
      [swap(trader, quote, base, 5n * e18), {}],
      [swap(trader, base, quote, 4n * e18), sell],
      [swap(trader, quote, base, 5n * e18, 3n * e18), {}],
      [trade(trader, [quote, base], 5n * e18), {}],
      [trade(trader, [base, quote], 4n * e18), sell],
    ]
    for (const [order, change] of fills) {
      const payload = await attributed(owner, exchange, await block(order), change)
      expect(payload).toMatchObject({ state: 'COMPLETED', reasons: [], sandwiches: [] })
      const { components, totals, wallet, base: filled, quote: paid, legs } = only(payload)
      expect(components).toMatchObject({ mev: '0', residual: '0', timing: '0', spread: '0' })
      expect(BigInt(components!.impact!) > 0n && BigInt(components!.fees!) > 0n).toBe(true)
      expect(wallet).toEqual({ base: filled, quote: paid })
      expect(legs[0]?.preState?.source).toBe('ARCHIVE')
      const sign = change === sell ? -1n : 1n
      expect(totals!.t6).toBe(`${sign * BigInt(paid)}`)
    }
  })

  it('takes the price of an earlier block for the decision, and another for the arrival', async ({
    owner,
    exchange,
  }) => {
    const { base, quote, traders, swap, block, chain } = exchange
    const decided = await chain.publicClient.getBlock()
    const [, otherTrader] = traders as [Address, Address]
    await block(swap(otherTrader, quote, base, 10n * e18))
    const arrived = await chain.publicClient.getBlockNumber()
    await block(swap(otherTrader, quote, base, 10n * e18))
    const hashes = await block(swap(traders[0]!, quote, base, e18))
    const timestamp = new Date(Number(decided.timestamp) * 1000).toISOString()
    const payload = await attributed(owner, exchange, hashes, {
      decision: {
        at: timestamp,
        block: { chainId: 31337, number: Number(decided.number), hash: decided.hash, timestamp },
      },
      arrivalBlock: Number(arrived) + 1,
    })
    expect(payload.decision).toMatchObject({ source: 'CHAIN', block: { hash: decided.hash } })
    expect(payload.arrival.block?.number).toBe(Number(arrived))
    const { delay, timing } = only(payload).components!
    expect(BigInt(delay!) > 0n && BigInt(timing!) > 0n).toBe(true)
  })

  it('without a decision price counts from its arrival, and says so', async ({
    owner,
    exchange,
  }) => {
    const { base, quote, traders, swap, block } = exchange
    const hashes = await block(swap(traders[0]!, quote, base, e18))
    const payload = await attributed(owner, exchange, hashes, {
      decision: { at: '2026-01-01T00:00:00.000Z' },
    })
    expect(payload).toMatchObject({ state: 'PARTIAL', reasons: ['DECISION_PRICE_MISSING'] })
    const { components, totals } = only(payload)
    expect(components?.delay).toBeNull()
    expect(totals!.t0).toBe(totals!.t1)
  })

  it('without a price of the native asset has no gas, and says so', async ({ owner, exchange }) => {
    const { base, quote, traders, swap, block } = exchange
    const hashes = await block(swap(traders[0]!, quote, base, e18))
    const payload = await attributed(owner, exchange, hashes, { nativePriceX18: undefined })
    expect(payload).toMatchObject({ state: 'PARTIAL', reasons: ['NATIVE_PRICE_MISSING'] })
    expect(payload.components?.gas).toBeNull()
  })

  it('a partial fill leaves a rest that costs the price move', async ({ owner, exchange }) => {
    const { base, quote, traders, swap, block } = exchange
    const hashes = await block(swap(traders[0]!, quote, base, 2n * e18))
    await block(swap(traders[1]!, quote, base, 20n * e18))
    const payload = await attributed(owner, exchange, hashes, {
      intended: { base: `${100n * e18}` },
    })
    const [decision, later] = [e18, BigInt(payload.horizon!.priceX18!)]
    const rest = BigInt(payload.unfilledBase)
    expect(rest).toBe(100n * e18 - BigInt(payload.filledBase))
    const opportunity = BigInt(payload.components!.opportunity!)
    const expected = (rest * (later - decision)) / e18
    // The record rounds the price down to 10⁻¹⁸, the computation does not.
    expect(opportunity - expected).toBeGreaterThanOrEqual(0n)
    expect(opportunity - expected).toBeLessThan(200n)
    const whole = await attributed(owner, exchange, hashes, {
      intended: { base: payload.filledBase },
    })
    expect(whole).toMatchObject({ unfilledBase: '0', horizon: null })
    expect(whole.components!.opportunity).toBe('0')
  })

  it('leaves a price mark, of which a part reverses', async ({ owner, exchange }) => {
    const { base, quote, traders, swap, block } = exchange
    const hashes = await block(swap(traders[0]!, quote, base, 20n * e18))
    await block(swap(traders[1]!, base, quote, 10n * e18))
    const { marks } = only(await attributed(owner, exchange, hashes))
    const [minute, , halfHour] = marks
    expect(minute!.temporaryPips! > 0 && minute!.permanentPips! > 0).toBe(true)
    expect(halfHour).toMatchObject({ block: null, priceX18: null, permanentPips: null })
  })
})

describe('a fill against prices outside', () => {
  it('is marked at what another venue of the organization said, and not at its own', async ({
    service,
    owner,
    exchange,
  }) => {
    const { base, quote, traders, swap, trade, block, chain, pool, pair } = exchange
    const markets = { tokens: [base, quote], pool, pair } as never
    const create = async (body: object) => {
      const response = await callOperation<VenueRef>(owner, 'createVenues', {
        body: { ...body, status: 'VALIDATED' },
      })
      expect(response.fieldErrors).toEqual({})
      return response.data
    }
    const { payload } = poolBody({ chain, markets })
    const { tickSpacing: _, ...rest } = payload
    const attribution = await create({
      reason: 'For the test',
      payload: {
        ...rest,
        kind: 'UNISWAP_V2',
        feePips: 3000,
        address: pair.address,
        factory: chain.contracts.uniswapV2Factory,
      },
    })
    const venue = { id: attribution.id, resourceVersion: attribution.resourceVersion }
    await block(trade(traders[1]!, [quote, base], 3n * e18))
    const hashes = await block(swap(traders[0]!, quote, base, 20n * e18))
    const { timestamp } = await chain.publicClient.getBlock()
    await chain.mine(30)
    const workers = await startWorkers(service.services)
    await indexTo(owner, venue.id)
    await workers.stop()
    const reference = { kind: 'VENUE', venue }
    const marked = await attributed(owner, exchange, hashes, { reference })
    expect(marked.reference).toEqual({ source: `VENUE ${venue.id}` })
    expect(marked.evidence.inputs.map(({ name }) => name)).toContain('reference.prices')
    const reserves = await chain.publicClient.readContract({
      address: pair.address,
      abi: v2PairAbi,
      functionName: 'getReserves',
    })
    const [of0, of1] = [reserves[0], reserves[1]]
    const [left, right] = pair.token0 === base ? [of1, of0] : [of0, of1]
    const priceX36 = (left * 10n ** 36n) / right
    const { marks, base: filled, quote: paid } = only(marked)
    const [minute, , halfHour] = marks
    const seen = minute!.reference!
    expect([seen.priceX36, seen.errorPips]).toEqual([`${priceX36}`, 3000])
    expect(Date.parse(seen.at) / 1000).toBeLessThanOrEqual(Number(timestamp) + 60)
    const price = Number(paid) / Number(filled)
    const expected = (price / (Number(priceX36) / 1e36) - 1) * 1e6
    expect(Math.abs(seen.markoutPips - expected)).toBeLessThan(2)
    expect(halfHour!.reference).toBeNull()
    // Without one nothing of it is said.
    const plain = await attributed(owner, exchange, hashes)
    expect([plain.reference, only(plain).marks[0]!.reference]).toEqual([undefined, undefined])

    const own = await block(trade(traders[0]!, [quote, base], e18))
    await chain.mine(30)
    const refused = await callOperation(owner, 'createAttributions', {
      body: { payload: orderOf(exchange, own, { reference }), reason: 'For the test' },
    })
    expect([refused.status, refused.code, refused.fieldErrors]).toEqual([
      ...[422, 'LIQUIDITY_ATTRIBUTION_INPUT_INVALID'],
      {
        'payload.reference.venue': [`must not be the venue under evaluation, got ${venue.id}`],
      },
    ])
  })
})

describe('a fill on several pools', () => {
  it('is one fill along a route, bought or sold', async ({ owner, exchange }) => {
    const { base, middle, quote, traders, travel, block } = exchange
    for (const [path, change] of [
      [[quote, middle, base], {}],
      [[base, middle, quote], sell],
    ] as const) {
      const payload = await attributed(
        owner,
        exchange,
        await block(travel(traders[0]!, path, 3n * e18)),
        change,
      )
      expect(payload.state).toBe('COMPLETED')
      const { legs, components } = only(payload)
      expect(legs.map(({ branch }) => branch)).toEqual([0, 0])
      expect(legs[0]!.amountOut).toBe(legs[1]!.amountIn)
      expect(components).toMatchObject({ mev: '0', residual: '0', timing: '0' })
      // Two fees of 0.3 %.
      const { fees } = only(payload).componentsPips!
      expect(fees! > 5_500 && fees! < 6_500).toBe(true)
    }
  })

  it('sums the branches of an order that was split', async ({ owner, exchange }) => {
    const { base, middle, quote, traders, swap, travel, together, block } = exchange
    const [trader] = traders as [Address]
    const order = together(trader, [
      swap(trader, quote, base, 2n * e18),
      travel(trader, [quote, middle, base], e18),
    ])
    const {
      legs,
      quote: paid,
      components,
    } = only(await attributed(owner, exchange, await block(order)))
    expect(legs.map(({ branch }) => branch)).toEqual([0, 1, 1])
    expect(paid).toBe(`${3n * e18}`)
    expect(components).toMatchObject({ mev: '0', residual: '0', timing: '0' })
  })

  it('two in one block count one after the other', async ({ owner, exchange }) => {
    const { base, quote, traders, swap, block } = exchange
    const [trader] = traders as [Address]
    const order = swap(trader, quote, base, e18)
    const payload = await attributed(owner, exchange, (await block(order, order)).reverse())
    const [first, second] = payload.fills
    expect([first!.transactionIndex, second!.transactionIndex]).toEqual([0, 1])
    expect(second!.beforePriceX18).toBe(first!.afterPriceX18)
    expect(BigInt(second!.components!.timing!) > 0n).toBe(true)
  })
})

describe('a sandwich', () => {
  it('is recovered exactly: it took the output of the same swap without it', async ({
    owner,
    exchange,
  }) => {
    const { base, quote, traders, swap, trade, block, balance, instead } = exchange
    const [trader, attacker] = traders as [Address, Address]
    const cases = [
      { via: 'v3', side: 'SELL', from: base, to: quote },
      { via: 'v2', side: 'SELL', from: base, to: quote },
      { via: 'v3', side: 'BUY', from: quote, to: base },
    ] as const
    for (const { via, side, from, to } of cases) {
      const push = (amount: bigint) =>
        via === 'v3' ? swap(attacker, from, to, amount) : trade(attacker, [from, to], amount)
      const victim =
        side === 'BUY'
          ? swap(trader, from, to, 100n * e18, 5n * e18)
          : via === 'v3'
            ? swap(trader, from, to, 5n * e18)
            : trade(trader, [from, to], 5n * e18)
      // Genuine bytecode says what the victim would have had alone.
      const before = await balance(quote, trader)
      const alone = await instead([victim], () => balance(quote, trader))
      const bought = await instead([push(30n * e18)], () => balance(to, attacker))
      const held = await balance(to, attacker)
      const gained = bought - held
      const exit =
        via === 'v3' ? swap(attacker, to, from, gained) : trade(attacker, [to, from], gained)
      const started = await balance(from, attacker)
      const hashes = await block(push(30n * e18), victim, exit)
      const really = await balance(quote, trader)
      const profit = (await balance(from, attacker)) - started
      const payload = await attributed(owner, exchange, [hashes[1]!], { side })
      expect(payload.sandwiches).toHaveLength(1)
      expect(payload.sandwiches[0]).toMatchObject({
        confidence: 'HIGH',
        front: { txHash: hashes[0] },
        back: { txHash: hashes[2] },
        victims: [{ txHash: hashes[1], isOwn: true, profitShare: `${profit}` }],
        profit: `${profit}`,
        profitToken: from,
      })
      const { mev, residual, timing } = only(payload).components!
      expect([via, side, BigInt(mev!)]).toEqual([via, side, alone - really])
      expect(BigInt(mev!) > 0n && before !== really).toBe(true)
      expect([residual, timing]).toEqual(['0', '0'])
      const { metPriceX18, beforePriceX18 } = only(payload)
      expect(metPriceX18).not.toBe(beforePriceX18)
    }
  })

  it('costs its attacker gas, which is reported in quote', async ({ owner, exchange }) => {
    const { base, quote, traders, swap, block, balance, instead, chain } = exchange
    const [trader, attacker] = traders as [Address, Address]
    const front = swap(attacker, quote, base, 40n * e18)
    const had = await balance(base, attacker)
    const got = await instead([front], () => balance(base, attacker))
    const hashes = await block(
      front,
      swap(trader, quote, base, 10n * e18),
      swap(attacker, base, quote, got - had),
    )
    const [sandwich] = (await attributed(owner, exchange, [hashes[1]!])).sandwiches
    const receipts = await Promise.all(
      [hashes[0]!, hashes[2]!].map((hash) => chain.publicClient.getTransactionReceipt({ hash })),
    )
    const wei = receipts.reduce((sum, one) => sum + one.gasUsed * one.effectiveGasPrice, 0n)
    expect(sandwich).toMatchObject({
      gasWei: `${wei}`,
      profitQuote: sandwich!.profit,
      profitAfterGasQuote: `${BigInt(sandwich!.profit) - wei * 2000n}`,
    })
  })

  it('counts what its attacker did not sell again, or brought along to sell, in its token and in quote', async ({
    owner,
    exchange,
  }) => {
    const { base, quote, traders, swap, block, balance, instead } = exchange
    const [trader, attacker] = traders as [Address, Address]
    for (const [from, to, side] of [
      [base, quote, 'SELL'],
      [quote, base, 'BUY'],
    ] as const) {
      for (const soldPercent of [97n, 104n]) {
        const front = swap(attacker, from, to, 30n * e18)
        const started = await Promise.all([balance(from, attacker), balance(to, attacker)])
        const bought = (await instead([front], () => balance(to, attacker))) - started[1]!
        const exit = swap(attacker, to, from, (bought * soldPercent) / 100n)
        const hashes = await block(front, swap(trader, from, to, 5n * e18), exit)
        const [ended, keptAtEnd] = await Promise.all([
          balance(from, attacker),
          balance(to, attacker),
        ])
        const [profit, kept] = [ended - started[0]!, keptAtEnd - started[1]!]
        expect(kept > 0n).toBe(soldPercent < 100n)
        const payload = await attributed(owner, exchange, [hashes[1]!], { side })
        const price = BigInt(only(payload).beforePriceX18!)
        const sandwich = payload.sandwiches[0]!
        expect(sandwich).toMatchObject({
          confidence: 'MEDIUM',
          profitToken: from,
          profit: `${profit}`,
          keptToken: to,
          kept: `${kept}`,
          victims: [{ profitShare: `${profit}`, keptShare: `${kept}` }],
        })
        const [baseStays, quoteStays] = from === base ? [profit, kept] : [kept, profit]
        const worth = quoteStays + (baseStays * price) / e18
        const apart = BigInt(sandwich.profitQuote!) - worth
        // The price is shown to eighteen digits only.
        expect(apart * apart <= 10_000n).toBe(true)
      }
    }
  })

  it('of several victims takes the lost output of each, and splits its profit among them', async ({
    owner,
    exchange,
  }) => {
    const { base, quote, traders, swap, block, balance, instead } = exchange
    const [trader, attacker, otherTrader] = traders as [Address, Address, Address]
    const front = swap(attacker, base, quote, 30n * e18)
    const theirs = swap(otherTrader, base, quote, 4n * e18)
    const own = swap(trader, base, quote, 3n * e18)
    const alone = await instead([theirs, own], () => balance(quote, trader))
    const had = await balance(quote, attacker)
    const got = await instead([front], () => balance(quote, attacker))
    const hashes = await block(front, theirs, own, swap(attacker, quote, base, got - had))
    const really = await balance(quote, trader)
    const payload = await attributed(owner, exchange, [hashes[2]!], sell)
    expect(BigInt(only(payload).components!.mev!)).toBe(alone - really)
    const [{ profit, victims }] = payload.sandwiches as [(typeof payload.sandwiches)[number]]
    expect(victims.map(({ isOwn }) => isOwn)).toEqual([false, true])
    const shares = victims.map(({ profitShare }) => BigInt(profitShare))
    expect(shares[0]! + shares[1]!).toBe(BigInt(profit))
    expect(shares[0]).toBe((BigInt(profit) * 4n) / 7n)
  })

  it('on one leg of a route is found there', async ({ owner, exchange }) => {
    const { base, middle, quote, traders, swap, travel, block, balance, instead } = exchange
    const [trader, attacker] = traders as [Address, Address]
    const front = swap(attacker, base, middle, 30n * e18)
    const victim = travel(trader, [base, middle, quote], 3n * e18)
    const alone = await instead([victim], () => balance(quote, trader))
    const had = await balance(middle, attacker)
    const got = await instead([front], () => balance(middle, attacker))
    const hashes = await block(front, victim, swap(attacker, middle, base, got - had))
    const really = await balance(quote, trader)
    const payload = await attributed(owner, exchange, [hashes[1]!], sell)
    expect(BigInt(only(payload).components!.mev!)).toBe(alone - really)
    expect(payload.sandwiches[0]).toMatchObject({ pool: exchange.basePool.address })
  })

  it('is absent if the trader is the attacker, or without a second swap', async ({
    owner,
    exchange,
  }) => {
    const { base, quote, traders, swap, block, balance, instead } = exchange
    const [trader, other] = traders as [Address, Address]
    const front = swap(trader, quote, base, 30n * e18)
    const had = await balance(base, trader)
    const got = await instead([front], () => balance(base, trader))
    const victim = swap(other, quote, base, 5n * e18)
    const hashes = await block(front, victim, swap(trader, base, quote, got - had))
    const own = await attributed(owner, exchange, [hashes[0]!])
    expect(own).toMatchObject({ sandwiches: [], state: 'COMPLETED' })
    expect(only(own).components).toMatchObject({ mev: '0', residual: '0' })
    const early = swap(other, quote, base, 20n * e18)
    const late = await block(early, swap(trader, quote, base, e18), victim)
    const crowded = await attributed(owner, exchange, [late[1]!])
    expect(crowded.sandwiches).toEqual([])
    expect(BigInt(only(crowded).components!.timing!) > 0n).toBe(true)
  })
})
