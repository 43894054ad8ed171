import type { contract } from '@liquidity-os/contract'
import { type Address, type Hex, toEventSelector, zeroAddress } from 'viem'
import type { ChainClient } from '../../../../integrations/chain/client.ts'
import { inSlices } from '../../../../integrations/chain/contract-call.ts'
import { readAtBlock } from '../../../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../../../integrations/chain/header.ts'
import { decodeLogs } from '../../../../integrations/chain/logs.ts'
import type { PlacedLog } from '../../../../integrations/chain/placed-log.ts'
import type { Receipt } from '../../../../integrations/chain/receipts.ts'
import { codeAt } from '../../../../integrations/chain/safe-account.ts'
import { keccak256 } from '../../../../keccak256.ts'
import { limits } from '../../../../limits.ts'
import { tokenKey } from '../../../../market/treasury/asset-keys.ts'
import type { PinnedChain } from '../../../../market/treasury/treasury-snapshot.ts'
import { findPool, isNoPool, pairOfPlan } from '../gates/planned-pool.ts'
import {
  deploymentMissing,
  isSame,
  type PlannedVesting,
  plannedVesting,
  poolMissing,
} from '../planning/deployment.ts'
import type { Completing } from './matching-evidence.ts'

/** A successful transaction in a finalized block, with its chain. */
export interface FinalTransaction {
  readonly receipt: Receipt
  readonly chain: PinnedChain
}

/** Error per transaction as proof of the step, in order; null if it fits. */
type Faults = readonly (string | null)[]
type Request = contract.LaunchPlanInput & { readonly deployment: contract.LaunchDeployment }
type EvidenceCheck = (
  request: Request,
  all: readonly FinalTransaction[],
) => Promise<Faults> | Faults

const evidenceChecks: Readonly<Record<string, EvidenceCheck>> = {
  'vesting-deployed': validateDeployedVesting,
  'vesting-funded': validateFunded,
  seed: validateSeed,
}

/**
 * Checks transactions that create or fund the vesting contracts, or seed the pool, by their
 * on-chain effects.
 *
 * @throws ChainError from the reads
 */
export async function validateDeploymentEvidence(
  completing: Completing,
  all: readonly FinalTransaction[],
): Promise<Faults> {
  const check = evidenceChecks[completing.step.key]
  if (!check) return all.map(() => null)
  const { request } = completing.plan.payload
  const { deployment } = request
  if (!deployment) return all.map(() => deploymentMissing)
  const isElsewhere = all.map(({ chain }) => !request.token.startsWith(`eip155:${chain.chainId}/`))
  if (isElsewhere.includes(true)) {
    return isElsewhere.map((is) => (is ? `must be on the chain of ${request.token}` : null))
  }
  return check({ ...request, deployment }, all)
}

const vestsNothing = 'must be omitted: the plan has no vesting'

/**
 * Each transaction must create a planned contract, sent by or through the deployer. Together they
 * must create all contracts.
 */
async function validateDeployedVesting(
  request: Request,
  all: readonly FinalTransaction[],
): Promise<Faults> {
  const contracts = plannedVesting(request)
  if (contracts.length === 0) return all.map(() => vestsNothing)
  const open = new Set(contracts)
  const faults: (string | null)[] = []
  const codes: CodesByBlock = new Map()
  for (const one of all) {
    const created = await createdBy(one, contracts, codes)
    for (const contract of created) open.delete(contract)
    const unfit = senderFault(one, request.deployment) ?? (await codeFault(one, created))
    faults.push(created.length === 0 ? creationFault(one, contracts) : unfit)
  }
  const [missing] = open
  if (!missing || faults.some((fault) => fault !== null)) return faults
  return faults.map(() => `must include the transaction that creates ${missing.address}`)
}

function creationFault({ receipt }: FinalTransaction, contracts: readonly PlannedVesting[]) {
  const names = contracts.map(({ address }) => address).join(', ')
  return `must create one of ${names}, got ${receipt.contractAddress ?? 'none of them'}`
}

/** The deployer is the sender, or the called Safe or factory. */
function senderFault(
  { receipt: { from, to } }: FinalTransaction,
  { deployer }: contract.LaunchDeployment,
): string | null {
  const isByDeployer = isSame(from, deployer) || (to !== null && isSame(to, deployer))
  const got = `got ${from} calling ${to ?? 'nothing'}`
  return isByDeployer ? null : `must be sent by ${deployer} or call it, ${got}`
}

async function codeFault(
  { chain }: FinalTransaction,
  created: readonly PlannedVesting[],
): Promise<string | null> {
  const [other] = await withOtherCode(chain, created)
  return other
    ? `must create ${other.address} with code hash ${other.codeHash}, got other code`
    : null
}

/** Code of the planned contracts, in order, by block number of the read. */
type CodesByBlock = Map<number, readonly Hex[]>

/**
 * Contracts created by a transaction, directly or through a factory. They had no code one block
 * earlier.
 */
async function createdBy(
  { receipt: { contractAddress, blockNumber }, chain: { clients } }: FinalTransaction,
  contracts: readonly PlannedVesting[],
  codes: CodesByBlock,
): Promise<PlannedVesting[]> {
  if (contractAddress !== null) {
    return contracts.filter(({ address }) => isSame(contractAddress, address))
  }
  const [client] = clients
  const codesAt = async (number: number) => {
    const known = codes.get(number)
    if (known) return known
    const found = await readCodes(client, await readHeader(client, number), contracts)
    codes.set(number, found)
    return found
  }
  const [before, after] = [await codesAt(blockNumber - 1), await codesAt(blockNumber)]
  return contracts.filter((_, index) => before[index] === '0x' && after[index] !== '0x')
}

/** Contracts whose code at the last finalized block differs from the plan. */
async function withOtherCode(
  { clients: [client], block }: PinnedChain,
  contracts: readonly PlannedVesting[],
): Promise<PlannedVesting[]> {
  const codes = await readCodes(client, block, contracts)
  return contracts.filter(({ codeHash }, index) => keccak256(codes[index] ?? '0x') !== codeHash)
}

const readCodes = (client: ChainClient, block: Header, contracts: readonly PlannedVesting[]) =>
  readAtBlock(client, block, (pin) =>
    inSlices(contracts, limits.chainReadsAtOnce, ({ address }) => codeAt(client, pin, address)),
  )

const transfer = toEventSelector('Transfer(address,address,uint256)')

/**
 * Decodes a token transfer at an address; null for other logs. An ERC-721 transfer is excluded,
 * because its id is a topic and it has no amount.
 */
function transferOf({ topics, data }: PlacedLog) {
  const [topic, from, to] = topics
  if (topic !== transfer || from === undefined || to === undefined) return null
  const amount = topics.length === 3 && data !== '0x' ? BigInt(data) : null
  return { from: addressIn(from), to: addressIn(to), amount }
}

const addressIn = (word: Hex) => `0x${word.slice(26)}`

/**
 * Each transaction pays the token to a planned contract. Together they pay the planned amount of
 * each contract.
 */
function validateFunded(request: Request, all: readonly FinalTransaction[]): Faults {
  const contracts = plannedVesting(request)
  if (contracts.length === 0) return all.map(() => vestsNothing)
  const paid = (transactions: readonly FinalTransaction[], { address }: PlannedVesting) =>
    sum(tokenTransfers(transactions, request.token).filter(({ to }) => isSame(to, address)))
  const faults = all.map((one) => {
    const isPaid = contracts.some((contract) => paid([one], contract) > 0n)
    const names = contracts.map(({ address }) => address).join(', ')
    return isPaid ? null : `must transfer ${request.token} to one of ${names}, but has no such log`
  })
  const short = contracts.find((contract) => paid(all, contract) < contract.tokens)
  if (!short || faults.some((fault) => fault !== null)) return faults
  const message = `must pay ${short.tokens} to ${short.address} in total, got ${paid(all, short)}`
  return faults.map(() => message)
}

const sum = (transfers: readonly { readonly amount: bigint | null }[]) =>
  transfers.reduce((all, { amount }) => all + (amount ?? 0n), 0n)

const tokenTransfers = (all: readonly FinalTransaction[], token: string) =>
  all.flatMap(({ receipt: { logs }, chain: { chainId } }) =>
    logs.flatMap((log) =>
      tokenKey(chainId, log.address) === token ? (transferOf(log) ?? []) : [],
    ),
  )

/**
 * Each transaction mints liquidity of the planned pool that the Safe pays and owns. Together they
 * reach the minimum amounts.
 */
async function validateSeed(request: Request, all: readonly FinalTransaction[]): Promise<Faults> {
  const terms = request.deployment.pool
  if (!terms) return all.map(() => poolMissing)
  const pair = pairOfPlan(request)
  if (!pair) throw new Error('The pool of a plan must have two tokens.')
  const { safe, factory, feePips = null } = terms
  const [first] = all
  if (!first) return []
  const { clients, block } = first.chain
  const [client] = clients
  const pool = await readAtBlock(client, block, (pin) =>
    findPool({ client, pin }, pair, { factory: factory as Address, feePips }),
  )
  if (pool === null || isNoPool(pool)) {
    return all.map(() => `must seed a pool of ${factory}, but the pair has no pool there`)
  }
  const isFirst = pair.token.toLowerCase() < pair.quote.toLowerCase()
  let [tokens, quotes] = [0n, 0n]
  const faults = all.map((one) => {
    const minted = mintsAt(one.receipt, pool, terms.kind)
    if (minted.length === 0) return `must mint liquidity of ${pool}, but has no such log`
    const payments = tokenTransfers([one], request.token).filter(
      ({ from, to }) => isSame(from, safe) && isSame(to, pool),
    )
    const paid = sum(payments)
    if (paid === 0n) {
      return `must be paid by ${safe}, but it transfers no ${request.token} to ${pool}`
    }
    if (!isOwnedBy(one.receipt, minted, pool, safe)) {
      return `must give the liquidity to ${safe}, got ${minted.map(({ owner }) => owner).join(', ')}`
    }
    let brought = 0n
    for (const { amount0, amount1 } of minted) {
      brought += isFirst ? amount0 : amount1
      quotes += isFirst ? amount1 : amount0
    }
    // Tokens that others sent to the pool are part of its liquidity, but not of the seed.
    tokens += brought < paid ? brought : paid
    return null
  })
  if (faults.some((fault) => fault !== null)) return faults
  const isEnough = tokens >= BigInt(terms.minimumToken) && quotes >= BigInt(terms.minimumQuote)
  if (isEnough) return faults
  const requested = `${terms.minimumToken} of the token and ${terms.minimumQuote} of the quote`
  return faults.map(() => `must add ${requested} to ${pool} in total, got ${tokens} and ${quotes}`)
}

/**
 * Liquidity minted by a transaction: both amounts and the owner. For a pair, the owner is the
 * recipient of the LP tokens.
 */
interface Minted {
  readonly amount0: bigint
  readonly amount1: bigint
  readonly owner: string
  readonly logIndex: number
}

function mintsAt({ logs }: Receipt, pool: Address, kind: 'UNISWAP_V2' | 'UNISWAP_V3'): Minted[] {
  const ofPool = logs.filter(({ address }) => isSame(address, pool))
  return ofPool.flatMap((log) => {
    const [decoded] = decodeLogs(kind, [log], new Map())
    if (decoded?.event.type !== 'Mint') return []
    const { amount0, amount1 } = decoded.event
    return [
      {
        amount0: amount0 ?? 0n,
        amount1: amount1 ?? 0n,
        owner: decoded.parties.owner ?? pool,
        logIndex: log.logIndex,
      },
    ]
  })
}

/**
 * True if an account owns all minted liquidity: directly, through LP tokens of the pair, or through
 * a position token of the manager.
 */
function isOwnedBy(
  { logs }: Receipt,
  minted: readonly Minted[],
  pool: Address,
  account: string,
): boolean {
  return minted.every(({ owner, logIndex }) => {
    if (isSame(owner, account)) return true
    const ofOwner = logs.filter(({ address }) => isSame(address, owner))
    // A pair mints its LP tokens right before the liquidity event; the fee and the locked minimum
    // come earlier. A manager issues the position right after the pool's mint. An addition to an
    // older position has no transfer.
    const made = isSame(owner, pool)
      ? ofOwner.findLast((log) => log.logIndex < logIndex && isMintTo(log))
      : ofOwner.find((log) => log.logIndex > logIndex)
    return made !== undefined && isMintTo(made, account)
  })
}

/** True for a log of newly minted tokens; with `account`, only if that account receives them. */
function isMintTo(log: PlacedLog, account?: string): boolean {
  const moved = transferOf(log)
  const isNew = moved?.from === zeroAddress
  return isNew && (account === undefined || isSame(moved.to, account))
}
