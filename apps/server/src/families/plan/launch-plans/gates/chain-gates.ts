import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type Address, parseAbi, zeroAddress } from 'viem'
import { keccak256 } from '../../../../keccak256.ts'
import { namedAsset } from '../../../../market/treasury/asset-keys.ts'
import type { PinnedChain } from '../../../../market/treasury/treasury-snapshot.ts'
import { v3FactoryAbi, v3PoolAbi } from '../../../../outside/chain/abis.ts'
import { ChainError } from '../../../../outside/chain/chain-error.ts'
import type { ChainClient } from '../../../../outside/chain/client.ts'
import { answered, readContract } from '../../../../outside/chain/contract-call.ts'
import { type Pin, readAtBlock } from '../../../../outside/chain/finalized.ts'
import { codeAt } from '../../../../outside/chain/safe-account.ts'
import { type Gate, judged, open, type Result } from './gate-result.ts'

type Plan = VersionedRecord<contract.LaunchPlan>
type Of<K extends Gate['kind']> = Extract<Gate, { kind: K }>
/** A provider at a block. */
interface At {
  readonly client: ChainClient
  readonly pin: Pin
}

const abi = parseAbi([
  'function balanceOf(address holder) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function owner() view returns (address)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function getRoleMemberCount(bytes32 role) view returns (uint256)',
])

/** The chain that decides a gate; null where the token of the plan is on none. */
export function chainOfGate(plan: Plan, gate: Gate): number | null {
  if ('chainId' in gate) return gate.chainId
  const token = namedAsset(plan.payload.request.token)
  return token.kind === 'TOKEN' ? token.chainId : null
}

/**
 * Judges a gate at the last final block. Every provider of the chain must read the same.
 *
 * @throws ChainError as the reads do; PROVIDERS_DISAGREE where two read differently
 */
export async function chainGate(plan: Plan, gate: Gate, chain: PinnedChain): Promise<Result> {
  const { block, clients } = chain
  const [first, ...others] = await Promise.all(
    clients.map((client) =>
      readAtBlock(client, block, (pin) => judge(plan, gate, { client, pin })),
    ),
  )
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first))) {
    throw new ChainError({
      code: 'LIQUIDITY_CHAIN_PROVIDERS_DISAGREE',
      ...{ reason: 'ANSWERS_DIFFER', blockNumber: block.number },
    })
  }
  const timestamp = new Date(block.timestamp * 1000).toISOString()
  const read = { chainId: chain.chainId, number: block.number, hash: block.hash, timestamp }
  return { ...first!, block: read }
}

function judge(plan: Plan, gate: Gate, at: At): Promise<Result> {
  switch (gate.kind) {
    case 'CONTRACT_CODE_HASH':
      return codeHash(gate, at)
    case 'ROLE_HELD_BY':
      return roleHeldBy(gate, at)
    case 'SUPPLY_EQUALS':
      return supplyEquals(plan, at)
    case 'VESTING_FUNDED':
      return vestingFunded(plan, gate, at)
    case 'POOL_UNINITIALISED_OR_PRICE_WITHIN':
      return poolUntouched(plan, gate, at)
    case 'LP_CUSTODY_AT':
      return positionHeld(gate, at)
    default:
      throw new Error(`The gate ${gate.kind} is decided by records.`)
  }
}

async function codeHash({ address, codeHash: wanted }: Of<'CONTRACT_CODE_HASH'>, at: At) {
  const code = await codeAt(at.client, at.pin, address as Address)
  if (code === '0x') return open(`There is no contract at ${address}.`)
  const found = keccak256(code)
  return judged(found === wanted, `Its code has the hash ${found}.`, { codeHash: found, wanted })
}

const call = <T>({ client, pin }: At, request: object): Promise<T | null> =>
  // Every function of the interface is called with its own arguments below.
  answered(() => readContract(client, pin, { abi, ...request } as never) as Promise<T>)

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

async function roleHeldBy({ address, holder, role }: Of<'ROLE_HELD_BY'>, at: At): Promise<Result> {
  if (role === undefined) {
    const owner = await call<Address>(at, { address, functionName: 'owner' })
    if (owner === null) return open(`${address} tells no owner.`)
    return judged(isSame(owner, holder), `Its owner is ${owner}.`, { owner, holder })
  }
  const has = await call<boolean>(at, { address, functionName: 'hasRole', args: [role, holder] })
  const count = await call<bigint>(at, {
    ...{ address, functionName: 'getRoleMemberCount', args: [role] },
  })
  const read = { hasRole: `${has}`, members: `${count}` }
  if (has === null) return open(`${address} knows no roles.`, read)
  if (count === null) {
    return open('Members of the role cannot be counted, so others may have it as well.', read)
  }
  return judged(has && count === 1n, `${has ? 'It' : 'Not it'} is among ${count} members.`, read)
}

function tokenOf(plan: Plan): Address {
  const token = namedAsset(plan.payload.request.token)
  if (token.kind !== 'TOKEN') throw new Error('A gate of a chain needs a token.')
  return token.address
}

async function supplyEquals(plan: Plan, at: At): Promise<Result> {
  const address = tokenOf(plan)
  const supply = await call<bigint>(at, { address, functionName: 'totalSupply' })
  if (supply === null) return open(`${address} tells no supply.`)
  const { totalSupply } = plan.payload.request
  const detail = `The supply is ${supply}; that of the plan ${totalSupply}.`
  return judged(supply === BigInt(totalSupply), detail, { supply, totalSupply })
}

async function vestingFunded(
  plan: Plan,
  { address: holder, tokens }: Of<'VESTING_FUNDED'>,
  at: At,
): Promise<Result> {
  const address = tokenOf(plan)
  const balance = await call<bigint>(at, { address, functionName: 'balanceOf', args: [holder] })
  if (balance === null) return open(`${address} tells no balance.`)
  return judged(balance >= BigInt(tokens), `${holder} holds ${balance} of ${tokens}.`, {
    ...{ balance, tokens },
  })
}

async function positionHeld(
  { manager, tokenId, holder }: Of<'LP_CUSTODY_AT'>,
  at: At,
): Promise<Result> {
  const owner = await call<Address>(at, {
    ...{ address: manager, functionName: 'ownerOf', args: [BigInt(tokenId)] },
  })
  if (owner === null) return open(`${manager} knows no position ${tokenId}.`)
  return judged(isSame(owner, holder), `It belongs to ${owner}.`, { owner, holder })
}

const x36 = 10n ** 36n
const million = 1_000_000n

/** A pool that is not there, has no price, or one within the tolerance of the reference; exact. */
async function poolUntouched(
  plan: Plan,
  { factory, feePips, tolerancePips, priceX18 }: Of<'POOL_UNINITIALISED_OR_PRICE_WITHIN'>,
  at: At,
): Promise<Result> {
  const { request, computed } = plan.payload
  const [token, quote] = [tokenOf(plan), namedAsset(request.quote)]
  if (quote.kind !== 'TOKEN') return open('The quote is no token, so there is no pool of it.')
  const wanted =
    priceX18 === undefined ? computed.referencePriceX36 : `${BigInt(priceX18) * 10n ** 18n}`
  const { client, pin } = at
  const pool = await answered(() =>
    readContract(client, pin, {
      ...{ address: factory as Address, abi: v3FactoryAbi, functionName: 'getPool' as const },
      args: [token, quote.address, feePips] as const,
    }),
  )
  if (pool === null) return open(`${factory} is no factory of pools.`)
  if (pool === zeroAddress) return judged(true, 'There is no such pool yet.', { pool })
  const slot = await answered(() =>
    readContract(client, pin, { address: pool, abi: v3PoolAbi, functionName: 'slot0' as const }),
  )
  if (slot === null) return open(`${pool} tells no price.`, { pool })
  const [root] = slot
  if (root === 0n) return judged(true, 'The pool has no price yet.', { pool, sqrtPriceX96: root })
  if (wanted === null) return open('The plan has no price to hold it against.', { pool })
  const isFirst = token.toLowerCase() < quote.address.toLowerCase()
  const [num, den] = isFirst ? [root * root, 1n << 192n] : [1n << 192n, root * root]
  const [price, reference] = [(num * x36) / den, BigInt(wanted)]
  const apart = price > reference ? price - reference : reference - price
  return judged(
    apart * million <= reference * BigInt(tolerancePips),
    `The pool ${pool} stands at ${price}/10^36; ${reference} within ${tolerancePips} pips is asked for.`,
    { pool, sqrtPriceX96: root, priceX36: price, referencePriceX36: reference, tolerancePips },
  )
}
