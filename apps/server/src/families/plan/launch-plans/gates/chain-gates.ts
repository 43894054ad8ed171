import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type Address, parseAbi } from 'viem'
import { ChainError } from '../../../../integrations/chain/chain-error.ts'
import { answered, readContract } from '../../../../integrations/chain/contract-call.ts'
import { readAtBlock } from '../../../../integrations/chain/finalized.ts'
import { codeAt } from '../../../../integrations/chain/safe-account.ts'
import { keccak256 } from '../../../../keccak256.ts'
import { namedAsset } from '../../../../market/treasury/asset-keys.ts'
import type { PinnedChain } from '../../../../market/treasury/treasury-snapshot.ts'
import {
  deploymentMissing,
  isSame,
  isVesting,
  plannedVesting,
  poolMissing,
} from '../planning/deployment.ts'
import { type Gate, open, type Result, satisfiedIf } from './gate-result.ts'
import {
  type At,
  findPool,
  isNoPool,
  type PoolTerms,
  pairOfPlan,
  readPoolPrice,
} from './planned-pool.ts'

type Plan = VersionedRecord<contract.LaunchPlan>
type Of<K extends Gate['kind']> = Extract<Gate, { kind: K }>
const abi = parseAbi([
  'function balanceOf(address holder) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function owner() view returns (address)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function getRoleMemberCount(bytes32 role) view returns (uint256)',
])

/** Chain that decides a gate; null if the plan's token has no chain. */
export function chainOfGate(plan: Plan, gate: Gate): number | null {
  if ('chainId' in gate) return gate.chainId
  const token = namedAsset(plan.payload.request.token)
  return token.kind === 'TOKEN' ? token.chainId : null
}

/**
 * Evaluates a gate at the last finalized block. All providers of the chain must agree.
 *
 * @throws ChainError from the reads; PROVIDERS_DISAGREE if two differ
 */
export async function chainGate(plan: Plan, gate: Gate, chain: PinnedChain): Promise<Result> {
  const { block, clients } = chain
  const [first, ...others] = await Promise.all(
    clients.map((client) =>
      readAtBlock(client, block, (pin) => evaluateGate(plan, gate, { client, pin })),
    ),
  )
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first))) {
    throw new ChainError({
      code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
      reason: 'ANSWERS_DIFFER',
      blockNumber: block.number,
    })
  }
  const timestamp = new Date(block.timestamp * 1000).toISOString()
  const read = { chainId: chain.chainId, number: block.number, hash: block.hash, timestamp }
  return { ...first!, block: read }
}

function evaluateGate(plan: Plan, gate: Gate, at: At): Promise<Result> {
  switch (gate.kind) {
    case 'CONTRACT_CODE_HASH':
      return codeHash(gate, at)
    case 'ROLE_HELD_BY':
      return roleHeldBy(gate, at)
    case 'TOKEN_CONTROLLED_AS_PLANNED':
      return tokenControlled(plan, at)
    case 'SUPPLY_EQUALS':
      return supplyEquals(plan, at)
    case 'VESTING_FUNDED':
      return vestingFunded(plan, gate, at)
    case 'VESTING_FUNDED_AS_PLANNED':
      return everyVestingFunded(plan, at)
    case 'POOL_UNINITIALISED_OR_PRICE_WITHIN':
      return poolUntouched(plan, withFee(gate), at)
    case 'POOL_CLEAR_AS_PLANNED':
      return plannedPoolClear(plan, at)
    case 'LP_CUSTODY_AT':
      return positionHeld(gate, at)
    default:
      throw new Error(`The gate ${gate.kind} does not depend on a chain.`)
  }
}

async function codeHash(
  { address, codeHash: wanted }: Pick<Of<'CONTRACT_CODE_HASH'>, 'address' | 'codeHash'>,
  at: At,
): Promise<Result> {
  const code = await codeAt(at.client, at.pin, address as Address)
  if (code === '0x') return open(`${address} has no contract code.`)
  const found = keccak256(code)
  return satisfiedIf(found === wanted, `Its code has the hash ${found}.`, {
    codeHash: found,
    wanted,
  })
}

const call = <T>({ client, pin }: At, request: object): Promise<T | null> =>
  // The calls below use each function with its own arguments.
  answered(() => readContract(client, pin, { abi, ...request } as never) as Promise<T>)

async function roleHeldBy(
  { address, holder, role }: Pick<Of<'ROLE_HELD_BY'>, 'address' | 'holder' | 'role'>,
  at: At,
): Promise<Result> {
  if (role === undefined) {
    const owner = await call<Address>(at, { address, functionName: 'owner' })
    if (owner === null) return open(`${address} reports no owner.`)
    return satisfiedIf(isSame(owner, holder), `Its owner is ${owner}.`, { owner, holder })
  }
  const has = await call<boolean>(at, { address, functionName: 'hasRole', args: [role, holder] })
  const count = await call<bigint>(at, {
    address,
    functionName: 'getRoleMemberCount',
    args: [role],
  })
  const read = { hasRole: `${has}`, members: `${count}` }
  if (has === null) return open(`${address} reports no roles.`, read)
  if (count === null) {
    return open('The members of the role cannot be counted, so others may also have it.', read)
  }
  return satisfiedIf(
    has && count === 1n,
    `${has ? 'It' : 'No such account'} is among ${count} members.`,
    read,
  )
}

function tokenOf(plan: Plan): Address {
  const token = namedAsset(plan.payload.request.token)
  if (token.kind !== 'TOKEN') throw new Error('A chain gate requires a token.')
  return token.address
}

async function supplyEquals(plan: Plan, at: At): Promise<Result> {
  const address = tokenOf(plan)
  const supply = await call<bigint>(at, { address, functionName: 'totalSupply' })
  if (supply === null) return open(`${address} reports no supply.`)
  const { totalSupply } = plan.payload.request
  const detail = `The supply is ${supply}; the plan has ${totalSupply}.`
  return satisfiedIf(supply === BigInt(totalSupply), detail, { supply, totalSupply })
}

async function vestingFunded(
  plan: Plan,
  { address: holder, tokens }: Pick<Of<'VESTING_FUNDED'>, 'address' | 'tokens'>,
  at: At,
): Promise<Result> {
  const address = tokenOf(plan)
  const balance = await call<bigint>(at, { address, functionName: 'balanceOf', args: [holder] })
  if (balance === null) return open(`${address} reports no balance.`)
  return satisfiedIf(
    balance >= BigInt(tokens),
    `${holder} holds ${balance} of the required ${tokens}.`,
    {
      balance,
      tokens,
    },
  )
}

async function positionHeld(
  { manager, tokenId, holder }: Of<'LP_CUSTODY_AT'>,
  at: At,
): Promise<Result> {
  const owner = await call<Address>(at, {
    address: manager,
    functionName: 'ownerOf',
    args: [BigInt(tokenId)],
  })
  if (owner === null) return open(`${manager} has no position ${tokenId}.`)
  return satisfiedIf(isSame(owner, holder), `It belongs to ${owner}.`, { owner, holder })
}

/** The single account of the plan can act for the token. */
function tokenControlled(plan: Plan, at: At): Promise<Result> {
  const { deployment } = plan.payload.request
  if (!deployment) return Promise.resolve(open(deploymentMissing, {}, [plan]))
  return ofPlan(plan, roleHeldBy({ address: tokenOf(plan), ...deployment.control }, at))
}

/** Adds the plan as evidence to a gate that the plan decides. */
async function ofPlan(plan: Plan, gateResult: Promise<Result>): Promise<Result> {
  const result = await gateResult
  const { resourceType, id, resourceVersion } = plan
  return { ...result, sources: [{ resourceType, id, resourceVersion }, ...result.sources] }
}

/**
 * Requires that every vesting contract has its code and tokens, and that the supply does not exceed
 * the plan.
 */
async function everyVestingFunded(plan: Plan, at: At): Promise<Result> {
  const { request } = plan.payload
  const contracts = plannedVesting(request)
  if (contracts.length === 0 && isVesting(request.allocations)) {
    return open(deploymentMissing, {}, [plan])
  }
  const supply = await supplyEquals(plan, at)
  if (supply.result !== 'SATISFIED') return ofPlan(plan, Promise.resolve(supply))
  for (const { address, codeHash: wanted, tokens } of contracts) {
    const results = [
      await codeHash({ address, codeHash: wanted }, at),
      await vestingFunded(plan, { address, tokens: `${tokens}` }, at),
    ]
    const fault = results.find(({ result }) => result !== 'SATISFIED')
    if (fault) return ofPlan(plan, Promise.resolve(fault))
  }
  const tokens = contracts.reduce((sum, one) => sum + one.tokens, 0n)
  const detail = `${contracts.length} vesting contracts match their code and hold at least ${tokens}. ${supply.detail}`
  return satisfiedIf(true, detail, { contracts: contracts.length, tokens }, [plan])
}

function plannedPoolClear(plan: Plan, at: At): Promise<Result> {
  const { deployment } = plan.payload.request
  if (!deployment) return Promise.resolve(open(deploymentMissing, {}, [plan]))
  if (!deployment.pool) return Promise.resolve(open(poolMissing, {}, [plan]))
  const { factory, feePips = null, tolerancePips } = deployment.pool
  const terms = { factory: factory as Address, feePips, tolerancePips }
  return ofPlan(plan, poolUntouched(plan, terms, at))
}

const withFee = ({ factory, ...terms }: Of<'POOL_UNINITIALISED_OR_PRICE_WITHIN'>) => ({
  ...terms,
  factory: factory as Address,
})

const x36 = 10n ** 36n
const million = 1_000_000n

/**
 * The pool does not exist, has no price, or has a price within the tolerance of the reference;
 * exact.
 */
async function poolUntouched(
  plan: Plan,
  terms: PoolTerms & { readonly tolerancePips: number; readonly priceX18?: string },
  at: At,
): Promise<Result> {
  const { factory, tolerancePips, priceX18 } = terms
  const { request, computed } = plan.payload
  const pair = pairOfPlan(request)
  if (pair === null) return open('The quote is not a token, so no pool is possible.')
  const wanted =
    priceX18 === undefined ? computed.referencePriceX36 : `${BigInt(priceX18) * 10n ** 18n}`
  const pool = await findPool(at, pair, terms)
  if (pool === null) return open(`${factory} is not a pool factory.`)
  if (isNoPool(pool)) return satisfiedIf(true, 'The pool does not exist yet.', { pool })
  const found = await readPoolPrice(at, pair, pool, terms)
  if (found === null) return open(`${pool} reports no price.`, { pool })
  const { num, den, isOneSided, read } = found
  if (isOneSided) {
    const message = `The pair ${pool} holds only one token, so its router cannot add liquidity. Send it the other token and call sync().`
    return open(message, { pool, ...read })
  }
  if (num === 0n) return satisfiedIf(true, 'The pool has no price yet.', { pool, ...read })
  if (wanted === null) return open('The plan has no reference price.', { pool })
  const [price, reference] = [(num * x36) / den, BigInt(wanted)]
  const apart = price > reference ? price - reference : reference - price
  return satisfiedIf(
    apart * million <= reference * BigInt(tolerancePips),
    `The price of the pool ${pool} is ${price}/10^36; ${reference} within ${tolerancePips} pips is required.`,
    { pool, ...read, priceX36: price, referencePriceX36: reference, tolerancePips },
  )
}
