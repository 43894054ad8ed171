import type { contract } from '@liquidity-os/contract'
import type { LegState } from '@liquidity-os/engine/execution'
import { type Address, getAddress, type Hex } from 'viem'
import { ask, type ChainClient } from '../../../../integrations/chain/client.ts'
import { agreeOnAnswer, agreeOnFinalizedHead } from '../../../../integrations/chain/finalized.ts'
import { type Header, readHeader } from '../../../../integrations/chain/header.ts'
import { allowanceAbi } from '../../../../integrations/chain/periphery-abis.ts'
import {
  decodedLog,
  readWalletTransaction,
  type WalletLog,
} from '../../../../integrations/chain/wallet-transaction.ts'
import { anyChainProviders } from '../../../../integrations/providers/chain-providers.ts'
import { readFromChain } from '../../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { settlementAbi } from '../quotes/gpv2-order.ts'
import { type LegEvidence, type LegHistory, noEvidence } from './leg-chain.ts'

type Plan = contract.ProtectedExecutionPlan
type Leg = Plan['legs'][number]

/** A chain with the data that the search for legs needs. */
export interface LegChain {
  readonly clients: readonly [ChainClient, ...ChainClient[]]
  readonly head: Header
}

/** Next state of a leg by chain data, or the reason it stays. */
export type Observed =
  | { readonly to: LegState; readonly evidence: LegEvidence }
  | { readonly to: null; readonly because: string }

const nowhere = (because: string): Observed => ({ to: null, because })

/** @throws Failure as the chain refuses */
export async function openLegChain(
  records: TenantRecords,
  services: ProviderAccess,
  chainId: number,
): Promise<LegChain> {
  const providers = await anyChainProviders(records, services, chainId, 'id')
  const [first, ...rest] = providers.map(({ client }) => client)
  const clients = [first as ChainClient, ...rest] as const
  const { head } = await readFromChain(() =>
    agreeOnFinalizedHead(clients, providers[0].configuration.finality),
  )
  return { clients, head }
}

/**
 * Determines the next state of a leg from the chain. Finalized data must match across all
 * providers.
 */
export function observeLeg(chain: LegChain, plan: Plan, leg: LegHistory): Promise<Observed> {
  const planned = plan.legs[leg.legIndex]
  if (!planned) throw new Error(`Leg ${leg.legIndex} does not exist.`)
  const { transactionHash } = leg
  if (transactionHash === null) return Promise.resolve(nowhere('no transaction is set'))
  const about = { chain, plan, planned, leg, transactionHash }
  switch (leg.state) {
    case 'SUBMITTED':
      return readFromChain(() => afterSubmission(about))
    case 'INCLUDED':
      return readFromChain(() => afterInclusion(about))
    case 'FINALIZED':
      return readFromChain(() => afterFinality(about))
    default:
      return Promise.resolve(nowhere(`the leg is ${leg.state}`))
  }
}

interface About {
  readonly chain: LegChain
  readonly plan: Plan
  readonly planned: Leg
  readonly leg: LegHistory
  readonly transactionHash: string
}

/** A transaction of a leg that is in a block. */
interface Mined {
  readonly block: { readonly number: number; readonly hash: string }
  /** Outcome of the leg in this transaction; null if the transaction does not contain it. */
  readonly outcome: 'DONE' | 'FAILED' | null
  readonly realised: { readonly sell: string; readonly buy: string } | null
}

async function afterSubmission(about: About): Promise<Observed> {
  const { chain, leg, planned } = about
  const mined = await readMined(chain.clients[0], about)
  if (mined === null) {
    if (await isReplaced(about)) {
      const note = 'Another transaction used the nonce of the sender.'
      return { to: 'REPLACED', evidence: { ...noEvidence, note } }
    }
    const isOver = chain.head.timestamp * 1000 > Date.parse(planned.deadline)
    if (!isOver) return nowhere('no block contains the transaction')
    const note = `Block ${chain.head.number} is finalized and past the deadline, but no block contains the transaction.`
    return { to: 'EXPIRED', evidence: { ...noEvidence, note, block: blockOf(chain.head) } }
  }
  if (mined.outcome === 'FAILED') return reverted(about, mined)
  if (mined.outcome === null) {
    return nowhere(`transaction ${leg.transactionHash} does not execute the leg`)
  }
  return { to: 'INCLUDED', evidence: { ...noEvidence, block: mined.block } }
}

const blockOf = ({ number, hash }: Header) => ({ number, hash })

async function afterInclusion(about: About): Promise<Observed> {
  const { chain, leg } = about
  const mined = await readMined(chain.clients[0], about)
  if (mined === null || mined.block.hash !== leg.block?.hash) {
    const note = `REORGED: block ${leg.block?.number} ${leg.block?.hash} is no longer on the chain.`
    return { to: 'SUBMITTED', evidence: { ...noEvidence, note } }
  }
  if (!(await isFinal(chain, mined))) {
    return nowhere(
      `it is in block ${mined.block.number}, but the last finalized block is ${chain.head.number}`,
    )
  }
  if (mined.outcome === 'FAILED') return reverted(about, mined)
  return { to: 'FINALIZED', evidence: { ...noEvidence, block: mined.block } }
}

async function afterFinality(about: About): Promise<Observed> {
  const { chain } = about
  // Settlement requires agreement of all providers.
  const mined = await agreeOnAnswer(chain.clients, (client) => readMined(client, about))
  if (mined?.outcome !== 'DONE') return nowhere('its transaction does not execute the leg')
  if (mined.realised === null) return nowhere('its logs do not show the sold and bought amounts')
  const { block, realised } = mined
  return { to: 'RECONCILED', evidence: { ...noEvidence, block, realised } }
}

async function reverted({ chain }: About, mined: Mined): Promise<Observed> {
  if (!(await isFinal(chain, mined))) {
    return nowhere(
      `it failed in block ${mined.block.number}, but the last finalized block is ${chain.head.number}`,
    )
  }
  const note = 'The receipt shows a failure.'
  return { to: 'REVERTED', evidence: { ...noEvidence, note, block: mined.block } }
}

async function isFinal({ clients, head }: LegChain, { block }: Mined): Promise<boolean> {
  if (block.number > head.number) return false
  return (await readHeader(clients[0], block.number)).hash === block.hash
}

/** True if the sender's nonce was used by another transaction at the finalized block. */
async function isReplaced({ chain: { clients, head }, leg: { sender } }: About): Promise<boolean> {
  if (sender === null) return false
  const at = `0x${head.number.toString(16)}`
  const used = await agreeOnAnswer(clients, (client) =>
    ask<Hex>(client, 'eth_getTransactionCount', [sender.address, at]),
  )
  return Number(used) > sender.nonce
}

async function readMined(client: ChainClient, about: About): Promise<Mined | null> {
  const { plan, planned, transactionHash } = about
  const taker = getAddress(plan.taker)
  const found = await readWalletTransaction(client, transactionHash, taker)
  if (found === null) return null
  const block = { number: found.blockNumber, hash: found.blockHash }
  if (planned.settlement) {
    if (!found.isSuccessful) return { block, outcome: 'FAILED', realised: null }
    const realised = settledAmounts(found.logs, planned.settlement, taker)
    return { block, outcome: realised === null ? null : 'DONE', realised }
  }
  const carries = found.calls?.some((call) => isCall(call, planned.call)) ?? false
  if (!carries) return { block, outcome: found.isSuccessful ? null : 'FAILED', realised: null }
  if (!found.areCallsSuccessful) return { block, outcome: 'FAILED', realised: null }
  return { block, outcome: 'DONE', realised: swappedAmounts(found.logs, plan, planned, taker) }
}

const isCall = (
  made: { readonly to: string; readonly value: string; readonly data: string },
  call: Leg['call'],
): boolean =>
  call !== null &&
  made.to.toLowerCase() === call.to.toLowerCase() &&
  made.value === call.value &&
  made.data === call.data

/** Amounts in the settlement contract's log for the leg's order; null without such a log. */
function settledAmounts(
  logs: readonly WalletLog[],
  { orderUid, contract: address }: NonNullable<Leg['settlement']>,
  taker: Address,
): Mined['realised'] {
  for (const log of logs) {
    if (getAddress(log.address) !== getAddress(address)) continue
    const event = decodedLog(settlementAbi, log)
    if (event?.eventName !== 'Trade' || event.args.orderUid !== orderUid) continue
    if (event.args.owner !== taker) continue
    return { sell: `${event.args.sellAmount}`, buy: `${event.args.buyAmount}` }
  }
  return null
}

/**
 * Amounts that the vault paid to the leg's pool and received from it, by transfers of both tokens.
 */
function swappedAmounts(
  logs: readonly WalletLog[],
  plan: Plan,
  planned: Leg,
  taker: Address,
): Mined['realised'] {
  const pool = planned.poolAddress
  const { sellToken, buyToken } = plan
  if (pool === null) return null
  let [sell, buy] = [0n, 0n]
  for (const log of logs) {
    const event = decodedLog(allowanceAbi, log)
    if (event?.eventName !== 'Transfer') continue
    const { from, to, value } = event.args
    const token = getAddress(log.address)
    const isIn = token === getAddress(sellToken) && from === taker && to === getAddress(pool)
    const isOut = token === getAddress(buyToken) && from === getAddress(pool) && to === taker
    if (isIn) sell += value
    if (isOut) buy += value
  }
  return sell === 0n || buy === 0n ? null : { sell: `${sell}`, buy: `${buy}` }
}
