import { type Address, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import { ChainError } from '../../../integrations/chain/chain-error.ts'
import { answered, readContract } from '../../../integrations/chain/contract-call.ts'
import { agreeOnAnswer, readAtBlock } from '../../../integrations/chain/finalized.ts'
import { peripheryAbi, positionManagerAbi } from '../../../integrations/chain/periphery-abis.ts'
import { codeAt } from '../../../integrations/chain/safe-account.ts'
import {
  type CodeVerdict,
  combineCode,
  type ExpectedCode,
  judgeCode,
} from '../../../market/adapters/contract-code.ts'
import { valueAt } from '../../../market/adapters/decode-call.ts'
import type { PinnedChain } from '../../../market/treasury/treasury-snapshot.ts'
import type { ActionStep, ReadCalls } from './action-calls.ts'

/** A v3 position as its manager reports it. */
export interface HeldPosition {
  readonly owner: string
  readonly token0: string
  readonly token1: string
  readonly tickLower: number
  readonly tickUpper: number
}

/** A v2 pair of a router. */
export interface HeldPair {
  readonly address: string
  readonly token0: string
  readonly reserve0: bigint
  readonly reserve1: bigint
  readonly totalShares: bigint
}

/** State that the rules need beyond calldata. `NONE` does not exist; null is unknown. */
export interface ActionState {
  positionOf(step: ActionStep): HeldPosition | 'NONE' | null
  pairOf(step: ActionStep): HeldPair | 'NONE' | null
}

/** State of an action for which nothing was read. */
export const unknownState: ActionState = { positionOf: () => null, pairOf: () => null }

/** Reads for the rules of an action. Null if the chain is unavailable. */
export interface ActionReads {
  readonly checkCode: (expected: readonly ExpectedCode[]) => Promise<CodeVerdict>
  readonly readState: (calls: ReadCalls) => Promise<ActionState>
}

/**
 * Reads of an action at the block of a chain.
 *
 * @throws ChainError if a read fails
 */
export function pinnedReads(chain: PinnedChain): ActionReads {
  return {
    checkCode: (expected) => checkCode(chain, expected),
    readState: (calls) => readState(chain, calls),
  }
}

export async function checkCode(
  { clients, block }: PinnedChain,
  expected: readonly ExpectedCode[],
): Promise<CodeVerdict> {
  const verdicts: CodeVerdict[] = []
  for (const one of expected) {
    const code = await agreeOnAnswer(clients, (client) =>
      readAtBlock(client, block, (pin) => codeAt(client, pin, one.address as Address)),
    )
    verdicts.push(judgeCode(code, one))
  }
  return combineCode(verdicts)
}

/** Facts from the first source that has them, in order. */
export const firstState = (states: readonly ActionState[]): ActionState => ({
  positionOf: (step) => firstOf(states.map((one) => one.positionOf(step))),
  pairOf: (step) => firstOf(states.map((one) => one.pairOf(step))),
})

const firstOf = <Found>(found: readonly (Found | 'NONE' | null)[]): Found | 'NONE' | null =>
  found.find((one) => one !== null && one !== 'NONE') ?? found.find((one) => one !== null) ?? null

const pairAbi = parseAbi([
  'function getPair(address tokenA, address tokenB) view returns (address pair)',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 at)',
  'function totalSupply() view returns (uint256)',
])

const positionKey = (step: ActionStep): { manager: Address; tokenId: bigint } | null => {
  const tokenId = valueAt(step.read?.args, step.read?.declared.roles.positionId)
  return typeof tokenId === 'bigint' ? { manager: step.to as Address, tokenId } : null
}

const pairKey = ({ to, read }: ActionStep) => {
  const { amountsIn, amountsOut = [] } = read?.declared.roles ?? {}
  if (!amountsIn?.some(({ token }) => token === '$pair')) return null
  const [a, b] = amountsOut.map(({ token }) => valueAt(read?.args, token))
  return typeof a === 'string' && typeof b === 'string'
    ? { router: to as Address, tokenA: a as Address, tokenB: b as Address }
    : null
}

const nameOf = (key: object | null) => (key === null ? null : Object.values(key).join(' '))

/** Positions and pairs read for one action; further ones stay unknown, so they are not allowed. */
const maxReads = 32

/** Positions and pairs of the steps at the block of a chain. */
export async function readState(chain: PinnedChain, { steps }: ReadCalls): Promise<ActionState> {
  const positions = new Map<string, HeldPosition | 'NONE'>()
  const pairs = new Map<string, HeldPair | 'NONE'>()
  for (const step of steps) {
    if (positions.size + pairs.size >= maxReads) break
    const [position, pair] = [positionKey(step), pairKey(step)]
    const [positionName, pairName] = [nameOf(position), nameOf(pair)]
    if (position && positionName && !positions.has(positionName)) {
      positions.set(positionName, await readPosition(chain, position))
    }
    if (pair && pairName && !pairs.has(pairName)) {
      pairs.set(pairName, await readPair(chain, pair))
    }
  }
  return {
    positionOf: (step) => positions.get(nameOf(positionKey(step)) ?? 'none') ?? null,
    pairOf: (step) => pairs.get(nameOf(pairKey(step)) ?? 'none') ?? null,
  }
}

function readPosition(
  { clients, block }: PinnedChain,
  { manager: address, tokenId }: { manager: Address; tokenId: bigint },
): Promise<HeldPosition | 'NONE'> {
  const abi = positionManagerAbi
  return agreeOnAnswer(clients, (client) =>
    readAtBlock(client, block, async (pin): Promise<HeldPosition | 'NONE'> => {
      const args = [tokenId] as const
      const held = await answered(() =>
        readContract(client, pin, { address, abi, functionName: 'positions', args }),
      )
      const owner = await answered(() =>
        readContract(client, pin, { address, abi, functionName: 'ownerOf', args }),
      )
      if (held === null || owner === null) return 'NONE'
      const [, , token0, token1, , tickLower, tickUpper] = held
      return { owner, token0, token1, tickLower, tickUpper }
    }),
  )
}

function readPair(
  { clients, block }: PinnedChain,
  { router, tokenA, tokenB }: { router: Address; tokenA: Address; tokenB: Address },
): Promise<HeldPair | 'NONE'> {
  return agreeOnAnswer(clients, (client) =>
    readAtBlock(client, block, async (pin): Promise<HeldPair | 'NONE'> => {
      const factory = await answered(() =>
        readContract(client, pin, { address: router, abi: peripheryAbi, functionName: 'factory' }),
      )
      if (factory === null) return 'NONE'
      const address = await answered(() =>
        readContract(client, pin, {
          address: factory,
          abi: pairAbi,
          functionName: 'getPair',
          args: [tokenA, tokenB],
        }),
      )
      if (address === null || isAddressEqual(address, zeroAddress)) return 'NONE'
      const reserves = await answered(() =>
        readContract(client, pin, { address, abi: pairAbi, functionName: 'getReserves' }),
      )
      const totalShares = await answered(() =>
        readContract(client, pin, { address, abi: pairAbi, functionName: 'totalSupply' }),
      )
      if (reserves === null || totalShares === null || totalShares === 0n) return 'NONE'
      const [reserve0, reserve1] = reserves
      const token0 = tokenA.toLowerCase() < tokenB.toLowerCase() ? tokenA : tokenB
      return { address, token0, reserve0, reserve1, totalShares }
    }),
  )
}

/** The result of reads, or the given one if no provider has the state. */
export async function unlessUnavailable<Result>(
  read: () => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ChainError && error.code === 'LIQUIDITY_CHAIN_STATE_UNAVAILABLE') {
      return otherwise
    }
    throw error
  }
}
