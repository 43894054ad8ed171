import type { World } from '@liquidity-os/engine/migration'
import { H } from '@liquidity-os/evidence'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { factoryOf } from '../../../../integrations/chain/known-factories.ts'
import {
  allowanceAbi,
  poolActionsAbi,
  positionManagerAbi,
  swapRouterAbi,
  v2FactoryActionsAbi,
  v2RouterAbi,
} from '../../../../integrations/chain/periphery-abis.ts'
import { required } from '../../../../required.ts'
import type { Periphery } from '../deciding/periphery.ts'
import type { PlanVenue } from '../plan-types.ts'
import type { PlannedStep } from './plan-task.ts'

export interface UnsignedCall {
  readonly to: string
  readonly value: string
  readonly data: string
}

export interface CallTerms {
  readonly wallet: Address
  readonly venues: ReadonlyMap<string, PlanVenue>
  readonly periphery: Periphery
  /** Unix seconds after which the contracts revert. */
  readonly deadline: bigint
  /** Tolerated shortfall of a call against its simulated proceeds. */
  readonly tolerancePips: number
}

export interface StepCalls {
  readonly adapterId: string | null
  readonly calls: readonly UnsignedCall[]
}

const everything = 2n ** 128n - 1n
const none: StepCalls = { adapterId: null, calls: [] }

export const callsHashOf = (calls: readonly UnsignedCall[]) => H('migration-calls/v1', calls)

/**
 * Unsigned calls of one step against the genuine contracts.
 *
 * @param steps the whole plan: an approval covers the amounts of the later steps
 */
export function callsOf(steps: readonly PlannedStep[], index: number, terms: CallTerms): StepCalls {
  const planned = steps[index]!
  const { step } = planned
  switch (step.kind) {
    case 'SOAK':
    case 'VERIFY':
      return none
    case 'APPROVE': {
      const user = steps.slice(index + 1).find((after) => after.step.kind !== 'APPROVE')
      return { adapterId: 'erc20', calls: user ? approvalsFor(user, terms) : [] }
    }
    case 'REVOKE_APPROVAL':
      return { adapterId: 'erc20', calls: revocations(step.world, steps[index - 1], terms) }
    case 'CREATE_POOL':
      return creation(step.world, step.opened, terms)
    case 'REMOVE':
      return removal(planned, step, terms)
    case 'COLLECT':
      return collection(step, terms)
    case 'SWAP':
      return swap(planned, step, terms)
    case 'MINT':
      return deposit(planned, step, terms)
  }
}

type Step<K extends PlannedStep['step']['kind']> = Extract<PlannedStep['step'], { kind: K }>

function venueOf(world: string, { venues }: CallTerms) {
  const venue = venues.get(world)
  if (!venue) throw new Error(`A step uses ${world}, which is not a venue of the plan.`)
  const { pair, kind, address, feePips } = venue.profile
  const [base, quote] = [getAddress(pair.base), getAddress(pair.quote)]
  const isBase0 = BigInt(base) < BigInt(quote)
  const tokens = isBase0 ? ([base, quote] as const) : ([quote, base] as const)
  const inOrder = (amounts: { base: bigint; quote: bigint }) =>
    isBase0 ? ([amounts.base, amounts.quote] as const) : ([amounts.quote, amounts.base] as const)
  const isV3 = kind === 'UNISWAP_V3'
  return {
    base,
    quote,
    tokens,
    inOrder,
    isV3,
    address: address as Address,
    fee: feePips ?? 3000,
    factory: factoryOf(venue.profile),
  }
}

/** The requirements of a plan are checked before any call is made, so a contract that is missing is a bug. */
function contractOf({ periphery }: CallTerms, role: keyof Periphery): Address {
  const address = periphery[role]
  if (address === null) throw new Error(`The plan has no ${role}.`)
  return address
}

const call = (to: Address, data: Hex): UnsignedCall => ({ to, value: '0', data })
const approve = (token: Address, spender: Address, amount: bigint) =>
  call(
    token,
    encodeFunctionData({ abi: allowanceAbi, functionName: 'approve', args: [spender, amount] }),
  )
const atLeast = (amount: bigint, { tolerancePips }: CallTerms) =>
  (amount * BigInt(1_000_000 - tolerancePips)) / 1_000_000n

function approvalsFor({ step }: PlannedStep, terms: CallTerms): UnsignedCall[] {
  if (step.kind === 'SWAP') {
    const { base, quote, isV3 } = venueOf(step.world, terms)
    const router = contractOf(terms, isV3 ? 'swapRouter' : 'v2Router')
    return [approve(step.side === 'BUY' ? quote : base, router, step.amountIn)]
  }
  if (step.kind === 'REMOVE') {
    const { address } = venueOf(step.world, terms)
    return [approve(address, contractOf(terms, 'v2Router'), step.liquidity)]
  }
  if (step.kind !== 'MINT') return []
  const { tokens, inOrder, isV3 } = venueOf(step.world, terms)
  const spender = contractOf(terms, isV3 ? 'positionManager' : 'v2Router')
  const amounts = inOrder(step.amounts)
  return tokens.flatMap((token, index) =>
    amounts[index]! > 0n ? [approve(token, spender, amounts[index]!)] : [],
  )
}

/**
 * After a deposit, revokes its approvals; otherwise all possible approvals of the venue's
 * contracts.
 */
function revocations(
  world: string,
  before: PlannedStep | undefined,
  terms: CallTerms,
): UnsignedCall[] {
  const { tokens, isV3, address } = venueOf(world, terms)
  if (before?.step.kind === 'MINT') {
    return approvalsFor(before, terms).map(({ to }) =>
      approve(to as Address, contractOf(terms, isV3 ? 'positionManager' : 'v2Router'), 0n),
    )
  }
  const { positionManager, swapRouter, v2Router } = terms.periphery
  const spenders = (isV3 ? [positionManager, swapRouter] : [v2Router]).filter((one) => one !== null)
  const assets = isV3 ? tokens : [...tokens, address]
  return spenders.flatMap((spender) => assets.map((asset) => approve(asset, spender, 0n)))
}

function creation(world: string, opened: World, terms: CallTerms): StepCalls {
  const { tokens, isV3, fee, factory } = venueOf(world, terms)
  if (!isV3 || opened.market.kind !== 'UNISWAP_V3') {
    const data = encodeFunctionData({
      abi: v2FactoryActionsAbi,
      functionName: 'createPair',
      args: tokens,
    })
    return {
      adapterId: 'uniswap-v2-factory',
      calls: [call(required(factory, 'factory') as Address, data)],
    }
  }
  const data = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [...tokens, fee, opened.market.sqrtPriceX96],
  })
  return managed(call(contractOf(terms, 'positionManager'), data))
}

const managed = (one: UnsignedCall): StepCalls => ({
  adapterId: 'uniswap-v3-position-manager',
  calls: [one],
})

const tokenIdOf = (owner: string) => (owner.startsWith('nft:') ? BigInt(owner.slice(4)) : null)

function removal(planned: PlannedStep, step: Step<'REMOVE'>, terms: CallTerms): StepCalls {
  const { tokens, inOrder, isV3, address } = venueOf(step.world, terms)
  const { liquidity, position } = step
  const [least0, least1] = inOrder(planned.paid).map((paid) => atLeast(paid, terms)) as [
    bigint,
    bigint,
  ]
  if (!isV3) {
    const args = [...tokens, liquidity, least0, least1, terms.wallet, terms.deadline] as const
    const data = encodeFunctionData({ abi: v2RouterAbi, functionName: 'removeLiquidity', args })
    return { adapterId: 'uniswap-v2-router', calls: [call(contractOf(terms, 'v2Router'), data)] }
  }
  const tokenId = tokenIdOf(position.owner)
  if (tokenId === null) {
    const args = [position.tickLower, position.tickUpper, liquidity] as const
    const data = encodeFunctionData({ abi: poolActionsAbi, functionName: 'burn', args })
    return { adapterId: 'uniswap-v3-pool', calls: [call(address, data)] }
  }
  const min = { amount0Min: least0, amount1Min: least1 }
  const args = [{ tokenId, liquidity, ...min, deadline: terms.deadline }] as const
  const data = encodeFunctionData({
    abi: positionManagerAbi,
    functionName: 'decreaseLiquidity',
    args,
  })
  return managed(call(contractOf(terms, 'positionManager'), data))
}

function collection({ world, position }: Step<'COLLECT'>, terms: CallTerms): StepCalls {
  const tokenId = tokenIdOf(position.owner)
  if (tokenId === null) {
    const { tickLower, tickUpper } = position
    const args = [terms.wallet, tickLower, tickUpper, everything, everything] as const
    const data = encodeFunctionData({ abi: poolActionsAbi, functionName: 'collect', args })
    return { adapterId: 'uniswap-v3-pool', calls: [call(venueOf(world, terms).address, data)] }
  }
  const max = { amount0Max: everything, amount1Max: everything }
  const args = [{ tokenId, recipient: terms.wallet, ...max }] as const
  const data = encodeFunctionData({ abi: positionManagerAbi, functionName: 'collect', args })
  return managed(call(contractOf(terms, 'positionManager'), data))
}

function swap(planned: PlannedStep, step: Step<'SWAP'>, terms: CallTerms): StepCalls {
  const { base, quote, isV3, fee } = venueOf(step.world, terms)
  const [tokenIn, tokenOut] = step.side === 'BUY' ? [quote, base] : [base, quote]
  const got = step.side === 'BUY' ? planned.delta.base : planned.delta.quote
  const { wallet: recipient, deadline } = terms
  const amountOutMinimum = atLeast(got, terms)
  if (!isV3) {
    const path = [tokenIn, tokenOut]
    const args = [step.amountIn, amountOutMinimum, path, recipient, deadline] as const
    const data = encodeFunctionData({
      abi: v2RouterAbi,
      functionName: 'swapExactTokensForTokens',
      args,
    })
    return { adapterId: 'uniswap-v2-router', calls: [call(contractOf(terms, 'v2Router'), data)] }
  }
  const amounts = { amountIn: step.amountIn, amountOutMinimum, sqrtPriceLimitX96: 0n }
  const args = [{ tokenIn, tokenOut, fee, recipient, deadline, ...amounts }] as const
  const data = encodeFunctionData({ abi: swapRouterAbi, functionName: 'exactInputSingle', args })
  const to = contractOf(terms, 'swapRouter')
  return { adapterId: 'uniswap-v3-swap-router', calls: [call(to, data)] }
}

function deposit(planned: PlannedStep, step: Step<'MINT'>, terms: CallTerms): StepCalls {
  const { tokens, inOrder, isV3, fee } = venueOf(step.world, terms)
  const [amount0Desired, amount1Desired] = inOrder(step.amounts)
  const used = inOrder({ base: -planned.delta.base, quote: -planned.delta.quote })
  const [amount0Min, amount1Min] = [atLeast(used[0], terms), atLeast(used[1], terms)]
  const { wallet: recipient, deadline } = terms
  if (!isV3) {
    const amounts = [amount0Desired, amount1Desired, amount0Min, amount1Min] as const
    const args = [...tokens, ...amounts, recipient, deadline] as const
    const data = encodeFunctionData({ abi: v2RouterAbi, functionName: 'addLiquidity', args })
    return { adapterId: 'uniswap-v2-router', calls: [call(contractOf(terms, 'v2Router'), data)] }
  }
  const amounts = { amount0Desired, amount1Desired, amount0Min, amount1Min }
  const tokenId = tokenIdOf(step.position.owner)
  const to = contractOf(terms, 'positionManager')
  if (tokenId !== null) {
    const args = [{ tokenId, ...amounts, deadline }] as const
    return managed(
      call(
        to,
        encodeFunctionData({ abi: positionManagerAbi, functionName: 'increaseLiquidity', args }),
      ),
    )
  }
  const { tickLower, tickUpper } = step.position
  const range = { token0: tokens[0], token1: tokens[1], fee, tickLower, tickUpper }
  const args = [{ ...range, ...amounts, recipient, deadline }] as const
  return managed(
    call(to, encodeFunctionData({ abi: positionManagerAbi, functionName: 'mint', args })),
  )
}
