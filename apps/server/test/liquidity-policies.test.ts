// @module-tag long
// @covers apps/server/src/families/operate/autonomy-policies

import type { contract } from '@liquidity-os/contract'
import { liquidityPolicyText } from '@liquidity-os/contract/liquidity-policy-text'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type Address, encodeFunctionData, isAddressEqual, type Log, parseAbi } from 'viem'
import { describe, expect } from 'vitest'
import type { TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { pullPrices } from './support/executing.ts'
import { priceTest } from './support/fixtures.ts'
import {
  type Call,
  callsOf,
  deadline,
  managerAbi,
  managerOf,
  positionIn,
  strangerOf,
  unit,
} from './support/liquidity.ts'
import {
  approved,
  carriedOut,
  type Desk,
  type Proposal,
  packetBody,
  proposed,
  startDesk,
} from './support/proposing.ts'
import { callOperation } from './support/requests.ts'
import { execute, observed, receiptsOf } from './support/vaults.ts'

type Result = contract.PolicyCheckResult
const reason = 'For the test'
const routerAbi = parseAbi([
  'function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
  'function removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
])
const swapAbi = parseAbi([
  'struct Out { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }',
  'function exactOutputSingle(Out params) payable returns (uint256 amountIn)',
])

const limits = (
  test: TestChain,
  { vault }: Desk,
  change: object = {},
): contract.AutonomyPolicyInput => ({
  vaultId: vault.id,
  level: 2,
  maximumSlippagePips: 20_000,
  controlEpoch: vault.payload.controlEpoch,
  maximumAmountPerTransaction: `${4n * unit}`,
  maximumDailyTurnover: `${10n * unit}`,
  approvedContracts: [managerOf(test), test.chain.contracts.uniswapV2Router],
  approvedAssets: [...test.markets.tokens, test.markets.pair.address],
  approvedAdapterIds: [
    ...['erc20-allowance', 'erc20-transfer', 'uniswap-v2-liquidity', 'uniswap-v3-positions'],
  ],
  minimumSecondsBetweenActions: 0,
  oracleMaximumAgeSeconds: 3600,
  expiresAt: '2026-06-01T00:00:00Z',
  publicMempoolFallbackAllowed: false,
  ...change,
})

/** Calls of the v2 router for a Safe. */
function v2CallsOf(test: TestChain, safe: Address) {
  const to = test.chain.contracts.uniswapV2Router
  const [base, quote] = test.markets.tokens
  const least = (unit * 99n) / 100n
  return {
    add: (recipient: Address): Call => ({
      to,
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: 'addLiquidity',
        // The pair of the test traded, so its price is not exactly 1.
        args: [base, quote, unit, unit, least, least, recipient, deadline],
      }),
    }),
    remove: (shares: bigint, minimum: bigint): Call => ({
      to,
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: 'removeLiquidity',
        args: [base, quote, shares, minimum, minimum, safe, deadline],
      }),
    }),
  }
}

/** A position of a stranger. */
async function foreignPosition(test: TestChain): Promise<bigint> {
  const { chain, markets } = test
  const from = chain.accounts[0]!.address
  const calls = callsOf(test, from)
  for (const token of markets.tokens) {
    await chain.send({ from, ...calls.approve(token, unit) })
  }
  const { logs } = await chain.send({ from, ...calls.mint(unit, unit) })
  // The check reads the finalized block.
  await chain.mine(4)
  return positionIn(logs)
}

const it = priceTest
  .extend('desk', { scope: 'file' }, async ({ service, testChain, priceSource }) => {
    await catchUp(testChain.chain, service)
    const desk = await startDesk(testChain, service)
    await pullPrices(service, desk.owner, testChain, priceSource)
    await catchUp(testChain.chain, service)
    await observed(service, desk)
    return desk
  })
  .extend('foreign', { scope: 'file' }, ({ testChain }) => foreignPosition(testChain))

const check = async (
  test: TestChain,
  desk: Desk,
  calls: readonly Call[],
  adapterId = 'uniswap-v3-positions',
  inline = limits(test, desk),
): Promise<Result> => {
  const response = await callOperation<Result>(desk.owner, 'checkAutonomyPolicy', {
    body: {
      payload: {
        policy: { inline },
        action: {
          kind: 'ADD_LIQUIDITY',
          chainId: 31_337,
          adapterId,
          route: 'PRIVATE',
          calls: calls.map((call) => ({ value: '0', ...call })),
        },
      },
      reason,
    },
  })
  if (response.status !== 200) {
    throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
  }
  return response.data
}

const others = ({ rules }: Pick<Result, 'rules'>) =>
  rules.flatMap(({ ruleId, outcome }) => (outcome === 'ALLOW' ? [] : [`${ruleId} ${outcome}`]))
const observedBy = ({ rules }: Result, ruleId: string) =>
  rules.find((rule) => rule.ruleId === ruleId)!.observed

describe('a policy for liquidity', () => {
  it('allows a mint that uses its allowances exactly', async ({ testChain, desk }) => {
    const { approve, mint } = callsOf(testChain, desk.safe)
    const [base, quote] = testChain.markets.tokens
    const result = await check(testChain, desk, [
      approve(base, unit),
      approve(quote, unit),
      mint(unit, unit),
    ])
    expect([result.verdict, others(result), result.gaps]).toEqual(['ALLOW', [], []])
    // Both desired amounts at the price of 1, and a minimum of 99 % of what a mint takes.
    expect(observedBy(result, 'R08')).toBe(`${2n * unit}`)
    expect(observedBy(result, 'R10')).toBe('10000')
  })

  it('refuses hostile variants by the rule that they break', async ({
    testChain,
    desk,
    foreign,
  }) => {
    const safe = callsOf(testChain, desk.safe)
    const [base, quote] = testChain.markets.tokens
    const approvals = [safe.approve(base, unit), safe.approve(quote, unit)]
    const stranger = strangerOf(testChain)
    const refused = async (calls: readonly Call[], ruleId: string, adapterId?: string) => {
      const result = await check(testChain, desk, calls, adapterId)
      expect(result.verdict).toBe('DENY')
      expect(others(result)).toContain(`${ruleId} DENY`)
      return observedBy(result, ruleId)
    }
    expect(
      await refused([...approvals, safe.mint(unit, unit, { recipient: stranger })], 'R15'),
    ).toBe('mint.params.recipient: EqualToAvatar')
    expect(await refused([...approvals, safe.increase(foreign, unit)], 'R15')).toMatch(
      /^increaseLiquidity\.params\.tokenId: the position belongs to 0x/,
    )
    expect(await refused([...approvals, safe.increase(9_999n, unit)], 'R15')).toBe(
      'increaseLiquidity.params.tokenId: no such position',
    )
    expect(
      await refused(
        [safe.approve(base, 2n * unit), safe.approve(quote, unit), safe.mint(unit, unit)],
        'R15',
      ),
    ).toBe(`approve.amount: must be ${unit}, the amount that the next calls use, or 0`)
    expect(await refused([safe.multicall(safe.sendAway(foreign))], 'R15')).toBe(
      'multicall.data.0: 0x42842e0e is not a function of uniswap-v3-positions',
    )
    expect(
      await refused([safe.multicall(safe.multicall(safe.collect(foreign, stranger)))], 'R15'),
    ).toBe('multicall.data.0.data.0.collect.params.recipient: EqualToAvatar')
    expect(await refused([safe.collect(foreign, stranger)], 'R15')).toBe(
      'collect.params.recipient: EqualToAvatar',
    )
    expect(await refused([safe.transfer(stranger, unit)], 'R15', 'erc20-transfer')).toMatch(
      /^transfer\.to: /,
    )
    await refused([...approvals, safe.mint(unit, unit, { amount0Min: 0n, amount1Min: 0n })], 'R10')
    // The manager is an approved contract, but anyone can take the tokens that it holds.
    expect(
      await refused([safe.transfer(managerOf(testChain), unit)], 'R15', 'erc20-transfer'),
    ).toBe('transfer.to: a contract of the release cannot receive a transfer')
    // All value in the minimum of one token, and a surplus of one token.
    await refused(
      [...approvals, safe.mint(unit, unit, { amount0Min: 0n, amount1Min: 2n * unit })],
      'R10',
    )
    await refused(
      [
        safe.approve(base, unit),
        safe.approve(quote, 2n * unit),
        safe.mint(unit, 2n * unit, { amount1Min: (unit * 99n) / 100n }),
      ],
      'R10',
    )
    await refused([...approvals, safe.mint(unit, unit, { token1: stranger })], 'R06')
    await refused([safe.approve(base, 5n * unit)], 'R08', 'erc20-allowance')
    await refused([...approvals, safe.mint(unit, unit, { deadline: 4_000_000_000n })], 'R15')
    const { multiSendCallOnly } = testChain.chain.contracts
    expect(
      await refused(
        [safe.approve(base, unit, multiSendCallOnly), ...approvals],
        'R15',
        'erc20-allowance',
      ),
    ).toMatch(/^approve\.spender: /)
  })

  it('does not allow a call of the manager that the release does not know', async ({
    testChain,
    desk,
    foreign,
  }) => {
    const { sendAway } = callsOf(testChain, desk.safe)
    const result = await check(testChain, desk, [sendAway(foreign)])
    expect(result.verdict).toBe('INDETERMINATE')
    expect(result.gaps.map(({ code }) => code)).toContain('CALLDATA_UNREADABLE')
  })

  it('judges a v2 position by both tokens', async ({ testChain, desk }) => {
    const v2 = 'uniswap-v2-liquidity'
    const to = testChain.chain.contracts.uniswapV2Router
    const { approve } = callsOf(testChain, desk.safe)
    const { add, remove } = v2CallsOf(testChain, desk.safe)
    const [base, quote] = testChain.markets.tokens
    const both = [approve(base, unit, to), approve(quote, unit, to)]
    const result = await check(testChain, desk, [...both, add(desk.safe)], v2)
    expect([result.verdict, observedBy(result, 'R08')]).toEqual(['ALLOW', `${2n * unit}`])
    expect(others(await check(testChain, desk, [...both, add(strangerOf(testChain))], v2))).toEqual(
      ['R15 DENY'],
    )
    const redeem = (minimum: bigint) => [
      approve(testChain.markets.pair.address, unit, to),
      remove(unit, minimum),
    ]
    const withdrawal = await check(testChain, desk, redeem((unit * 99n) / 100n), v2)
    expect([others(withdrawal), observedBy(withdrawal, 'R08')]).toEqual([[], '0'])
    expect(others(await check(testChain, desk, redeem(0n), v2))).toEqual(['R10 DENY'])
  })
})

describe('a policy with more contracts', () => {
  it('refuses an exact output with a price limit, which voids the output', async ({
    testChain,
    desk,
  }) => {
    const router = testChain.chain.contracts.swapRouter
    const { approve } = callsOf(testChain, desk.safe)
    const [base, quote] = testChain.markets.tokens
    const swap = (sqrtPriceLimitX96: bigint): Call => {
      const params = {
        tokenIn: base,
        tokenOut: quote,
        fee: 3000,
        recipient: desk.safe,
        deadline,
        amountOut: (unit * 99n) / 100n,
        amountInMaximum: unit,
        sqrtPriceLimitX96,
      }
      const data = encodeFunctionData({
        abi: swapAbi,
        functionName: 'exactOutputSingle',
        args: [params],
      })
      return { to: router, data }
    }
    const inline = limits(testChain, desk, {
      approvedContracts: [router],
      approvedAdapterIds: ['erc20-allowance', 'uniswap-v3-swaps'],
    })
    const checked = (limit: bigint) =>
      check(testChain, desk, [approve(base, unit, router), swap(limit)], 'uniswap-v3-swaps', inline)
    const open = await checked(0n)
    expect([open.verdict, others(open), observedBy(open, 'R08')]).toEqual(['ALLOW', [], `${unit}`])
    const limited = await checked(2n ** 96n / 200n)
    expect([others(limited), observedBy(limited, 'R15')]).toEqual([
      ['R15 DENY'],
      'exactOutputSingle.params.sqrtPriceLimitX96: EqualTo',
    ])
  })

  it('refuses an allowance to a batch contract, except to end it', async ({ testChain, desk }) => {
    const { multiSendCallOnly: batch } = testChain.chain.contracts
    const { approve } = callsOf(testChain, desk.safe)
    const [base] = testChain.markets.tokens
    const inline = limits(testChain, desk, { approvedContracts: [managerOf(testChain), batch] })
    const checked = (amount: bigint) =>
      check(testChain, desk, [approve(base, amount, batch)], 'erc20-allowance', inline)
    const given = await checked(unit)
    expect([others(given), observedBy(given, 'R15')]).toEqual([
      ['R15 DENY'],
      'approve.spender: a batch contract cannot receive an allowance',
    ])
    expect(others(await checked(0n))).toEqual([])
  })
})

describe('a policy in words', () => {
  it('allows the deposit that the service prepares for the market', async ({ testChain, desk }) => {
    const [base, quote] = testChain.markets.tokens
    const { address: market } = testChain.markets.pool
    const text = liquidityPolicyText({
      kind: 'UNISWAP_V3',
      base,
      quote,
      market,
      perAction: '0.0040',
      perDay: '0.01',
      slippagePercent: '2',
      lastDay: '2026-06-01',
    })
    const written = await callOperation<{ draft: VersionedRecord<contract.PolicyIntentDraft> }>(
      desk.owner,
      'createPolicyIntentDrafts',
      { body: { payload: { vaultId: desk.vault.id, baseline: 'NONE', text }, reason } },
    )
    const { candidate, unparsed, missing } = written.data.draft.payload
    expect([unparsed, missing]).toEqual([[], []])
    const prepared = await callOperation<contract.LiquidityCalls>(
      desk.owner,
      'prepareLiquidityCalls',
      {
        params: { id: desk.vault.id },
        query: {
          venueId: String(desk.vault.payload.venues[0]?.id),
          manager: managerOf(testChain),
          change: 'ADD',
          base: `${unit}`,
          quote: `${unit}`,
        },
      },
    )
    const calls = prepared.data.packets.flat().map(({ to, data }) => ({ to, data }) as Call)
    const result = await check(testChain, desk, calls, 'uniswap-v3-positions', candidate!)
    expect([result.verdict, others(result)]).toEqual(['ALLOW', []])
  })
})

describe('an honest desk', () => {
  it('gets COMPLIANT receipts for a mint and for a withdrawal', async ({
    service,
    testChain,
    desk,
  }) => {
    const created = await callOperation(desk.owner, 'createAutonomyPolicies', {
      body: { payload: limits(testChain, desk), reason },
    })
    expect(created.status).toBe(201)
    // Blocks from now on are later than the policy.
    service.clock.advance(600_000)
    await catchUp(testChain.chain, service)
    await observed(service, desk)
    const { approve, mint, decrease, collect, multicall, burn } = callsOf(testChain, desk.safe)
    const [base, quote] = testChain.markets.tokens
    const carryOut = async (calls: readonly Call[]) => {
      const packet = await proposed(
        desk.analyst,
        packetBody(service, desk, calls, {
          title: 'Provide liquidity',
          action: { actionType: 'VENUE_CALLS', route: 'PRIVATE' },
        }),
      )
      expect(checkOf(packet)).toEqual(['ALLOW', []])
      const { multiSendCallOnly } = testChain.chain.contracts
      const [first] = calls
      expect(packet.payload.packets[0]?.safeTx).toMatchObject(
        calls.length > 1
          ? { to: multiSendCallOnly, operation: 1 }
          : { to: first?.to, operation: 0 },
      )
      const mined = await carriedOut(testChain, await approved(desk, packet.id))
      await catchUp(testChain.chain, service)
      await observed(service, desk)
      return mined
    }
    const minted = await carryOut([approve(base, unit), approve(quote, unit), mint(unit, unit)])
    const tokenId = positionIn(minted.logs)
    const position = await testChain.chain.publicClient.readContract({
      address: managerOf(testChain),
      abi: managerAbi,
      functionName: 'positions',
      args: [tokenId],
    })
    const liquidity = position[7]
    await carryOut([decrease(tokenId, liquidity, (unit * 98n) / 100n), collect(tokenId)])
    // The burn deletes the position, so its owner is read before the block.
    await carryOut([multicall(collect(tokenId), burn(tokenId))])
    const { uniswapV2Router: router } = testChain.chain.contracts
    const v2 = v2CallsOf(testChain, desk.safe)
    const both = [approve(base, unit, router), approve(quote, unit, router)]
    const added = await carryOut([...both, v2.add(desk.safe)])
    const shares = sharesIn(testChain, desk.safe, added.logs)
    await carryOut([
      approve(testChain.markets.pair.address, shares, router),
      v2.remove(shares, (shares * 99n) / 100n),
    ])
    const receipts = await receiptsOf(desk.owner)
    expect(
      receipts.map(({ payload }) => [payload.verdict, others(payload), payload.reconciliation]),
    ).toEqual(Array(5).fill(['COMPLIANT', [], 'MATCHED']))
    // Two additions of up to two units, as executed; withdrawals are no turnover.
    const next = await check(testChain, desk, [collect(tokenId)])
    const turnover = BigInt(observedBy(next, 'R09') ?? '0')
    expect([turnover > (39n * unit) / 10n, turnover <= 4n * unit]).toEqual([true, true])
  })

  it('counts an allowance that no call uses as turnover', async ({ service, testChain, desk }) => {
    const { approve, collect, mint } = callsOf(testChain, desk.safe)
    const [base] = testChain.markets.tokens
    const turnover = async (calls: readonly Call[]) =>
      observedBy(await check(testChain, desk, calls), 'R09')
    const before = BigInt((await turnover([collect(1n)])) ?? '0')
    const given = approve(base, 4n * unit)
    const packet = await proposed(
      desk.analyst,
      packetBody(service, desk, [given], {
        title: 'Give an allowance',
        action: { actionType: 'VENUE_CALLS', route: 'PRIVATE' },
      }),
    )
    expect(checkOf(packet)).toEqual(['ALLOW', []])
    await carriedOut(testChain, await approved(desk, packet.id))
    await catchUp(testChain.chain, service)
    await observed(service, desk)
    expect(await turnover([collect(1n)])).toBe(`${before + 4n * unit}`)
    // The daily limit is 10 units.
    expect(others(await check(testChain, desk, [given], 'erc20-allowance'))).toEqual(['R09 DENY'])
    // A mint that uses one unit of it counts that unit once.
    const quoteIn = approve(testChain.markets.tokens[1], unit)
    expect(await turnover([quoteIn, mint(unit, unit)])).toBe(`${before + 5n * unit}`)
  })

  it('gets a VIOLATING receipt for a gas refund to another account', async ({
    service,
    testChain,
    desk,
  }) => {
    const { approve } = callsOf(testChain, desk.safe)
    const [base, quote] = testChain.markets.tokens
    const refund = {
      safeTxGas: 200_000n,
      baseGas: 1_000_000_000n,
      gasPrice: 5_000_000n,
      gasToken: quote,
      refundReceiver: strangerOf(testChain),
    }
    const paid = async (call: Call) => {
      const nonce = BigInt((await receiptsOf(desk.owner)).length)
      await execute(testChain, desk.safe, { ...call, ...refund, nonce })
      await catchUp(testChain.chain, service)
      await observed(service, desk)
      const { payload } = (await receiptsOf(desk.owner)).at(-1)!
      const amountOf = (ruleId: string) =>
        payload.rules.find((rule) => rule.ruleId === ruleId)!.observed
      return { ...payload, amountOf, left: -BigInt(payload.effects.net[0]?.delta ?? '0') }
    }
    const done = await paid(approve(base, 0n))
    expect([done.outcome, done.verdict, done.left > 4n * unit]).toEqual([
      'SUCCESS',
      'VIOLATING',
      true,
    ])
    expect(done.amountOf('R08')).toBe(`${done.left}`)
    expect(done.amountOf('R15')).toMatch(/^refund: \d+ of 0x\w+ left the Safe to 0x/)
    const turnover = BigInt(done.amountOf('R09') ?? '0')
    // A call of a contract without the function fails, and the Safe still pays.
    const failed = await paid({ to: managerOf(testChain), data: '0x12345678' })
    expect([failed.outcome, failed.verdict, failed.left > 4n * unit]).toEqual([
      'FAILURE',
      'VIOLATING',
      true,
    ])
    // The next check counts the refunds of both.
    service.clock.advance(600_000)
    const next = await check(testChain, desk, [approve(base, 0n)], 'erc20-allowance')
    expect(observedBy(next, 'R09')).toBe(`${turnover + failed.left}`)
  })

  it('gets a VIOLATING receipt for an execution that its policy denies', async ({
    service,
    testChain,
    desk,
  }) => {
    const nonce = BigInt((await receiptsOf(desk.owner)).length)
    const { transfer } = callsOf(testChain, desk.safe)
    const sent = transfer(strangerOf(testChain), unit)
    await execute(testChain, desk.safe, { ...sent, nonce })
    await execute(testChain, desk.safe, { ...sent, nonce: nonce + 1n })
    await catchUp(testChain.chain, service)
    await observed(service, desk)
    const [first, second] = (await receiptsOf(desk.owner)).slice(-2)
    expect(first?.payload.verdict).toBe('VIOLATING')
    expect(others(first!.payload)).toContain('R15 DENY')
    // One observation read both, and the second counts the first.
    const turnover = [first, second].map((one) =>
      BigInt(one!.payload.rules.find(({ ruleId }) => ruleId === 'R09')!.observed ?? '0'),
    )
    expect(turnover[1]).toBe(turnover[0]! + unit)
  })
})

const checkOf = ({ payload }: Proposal) => {
  const result = payload.packets[0]!.policyCheck!
  return [result.verdict, others(result)]
}

/** Shares of the pair that a transaction gives to the Safe. */
function sharesIn({ markets }: TestChain, safe: Address, logs: readonly Log[]): bigint {
  const received = logs.filter(
    ({ address, topics }) =>
      isAddressEqual(address, markets.pair.address) &&
      topics.length === 3 &&
      BigInt(topics[2] ?? '0x0') === BigInt(safe),
  )
  return BigInt(received[0]!.data)
}
