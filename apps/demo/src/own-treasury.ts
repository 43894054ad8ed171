import type { Client } from '@liquidity-os/client'
import {
  createSafe,
  erc20Abi,
  safeExecutionData,
  signSafeTransaction,
  weth9Abi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import type { LaunchChain } from './launch-chain.ts'

/** A treasury of our own beside the recorded launch, whose month is closed as an issuer would: nothing of it was recorded. */

const ether = 10n ** 18n
const funded = 60n * ether
const audit = 6n * ether
const unrecorded = 1n * ether
const payroll = 4n * ether
const label = 'Runway of the demo, a Safe of two out of three'

/** The Safe with its three owners, of whom two sign. */
class Treasury {
  readonly #launch: LaunchChain
  readonly safe: Address
  #nonce = 0n

  private constructor(launch: LaunchChain, safe: Address) {
    this.#launch = launch
    this.safe = safe
  }

  static async make(launch: LaunchChain): Promise<Treasury> {
    const { chain, quote } = launch
    const owners = [5, 6, 7].map((index) => accountOf(launch, index).address)
    const safe = await createSafe(chain, { owners, threshold: 2, saltNonce: BigInt(Date.now()) })
    const { address: from } = accountOf(launch, 4)
    const deposit = encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' })
    await chain.send({ from, to: quote, data: deposit, value: funded })
    const args = [safe, funded] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await chain.send({ from, to: quote, data })
    // What is final is two blocks behind.
    await chain.mine(2)
    return new Treasury(launch, safe)
  }

  /** Pays by what two owners signed. @returns where the log of the transfer is */
  async pay(amount: bigint) {
    const { chain, quote } = this.#launch
    const { address: receiver } = accountOf(this.#launch, 9)
    const args = [receiver, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    const nonce = this.#nonce
    const transaction = { to: quote, value: 0n, data, operation: 0, nonce } as const
    const signers = [5, 6].map((index) => accountOf(this.#launch, index))
    const signatures = await signSafeTransaction(chain.chainId, this.safe, transaction, signers)
    const call = safeExecutionData(transaction, signatures)
    const mined = await chain.send({ from: receiver, to: this.safe, data: call })
    this.#nonce += 1n
    await chain.mine(2)
    const transfer = mined.logs.find(({ address }) => address.toLowerCase() === quote.toLowerCase())
    if (!transfer) throw new Error('The Safe has paid nothing.')
    const { transactionHash: txHash, logIndex } = transfer
    return { chainId: chain.chainId, txHash, logIndex }
  }
}

function accountOf({ chain }: LaunchChain, index: number) {
  const account = chain.accounts[index]
  if (!account) throw new Error(`The local chain has no account ${index}.`)
  return account
}

/**
 * Closes a month through the API: what is held and owed, what was paid, what left that nobody recorded, ledger against
 * chain, and how long the rest lasts. Done once; a later start finds it.
 *
 * @returns what came out, in words
 */
export async function closeMonth(client: Client, launch: LaunchChain): Promise<string> {
  const { body } = await client.listTreasuryProjections()
  const known = body.data.find((projection) => projection.payload.label === label)
  if (known) return wordsOf(known.payload)
  const asset = `eip155:${launch.chain.chainId}/erc20:${launch.quote.toLowerCase()}`
  const treasury = await Treasury.make(launch)
  const entries = await bookMonth(client, launch, treasury, asset)
  await agree(client, entries)
  const assumed = await assume(client, asset)
  const projected = await client.createTreasuryProjection({
    body: {
      assumptions: {
        ...{ resourceType: 'TreasuryAssumptions', id: assumed.id },
        resourceVersion: assumed.resourceVersion,
      },
      entries: entries.map(entryRef),
      reason: 'Close of the month',
    },
  })
  return wordsOf(projected.body.data.projection.payload)
}

export interface Stored {
  readonly id: string
  readonly resourceVersion: string
}
export const entryRef = ({ id, resourceVersion }: Stored) =>
  ({ resourceType: 'TreasuryBucket', id, resourceVersion }) as const

/** Enters holding and debt, lets the Safe pay, and books both, with what left unrecorded. */
async function bookMonth(client: Client, launch: LaunchChain, treasury: Treasury, asset: string) {
  const { chainId } = launch.chain
  const held = await client.createTreasuryEntries({
    body: {
      payload: {
        ...{ entryKind: 'ASSET', label, asset, purpose: 'RUNWAY_RESERVE' },
        container: { kind: 'SAFE', chainId, address: treasury.safe },
        valuation: { quoteKey: asset, oracleProviderId: 'none-needed' },
      },
      reason: 'The treasury of the demo',
    },
  })
  const owed = await client.createTreasuryEntries({
    body: {
      payload: {
        ...{ entryKind: 'OBLIGATION', label: 'Audit of the demo', asset, purpose: 'OPERATING' },
        obligation: {
          ...{
            obligationKind: 'VENDOR',
            counterparty: 'Auditor',
            reference: 'Audit of the launch',
          },
          ...{ amount: `${audit}`, certainty: 'EXPECTED' },
          schedule: { kind: 'ONE_OFF', at: `${new Date().toISOString().slice(0, 19)}Z` },
        },
      },
      reason: 'Agreed with the auditor',
    },
  })
  const paid = await treasury.pay(audit)
  await treasury.pay(unrecorded)
  const { data: debt } = owed.body
  const settled = await client.refreshTreasuryLedgerEntry({
    ...{ params: { id: debt.id }, ifMatch: debt.resourceVersion },
    body: { settlements: [paid], reason: 'Paid by the Safe' },
  })
  const { data: done } = settled.body
  await client.retireTreasuryLedgerEntry({
    ...{ params: { id: done.id }, ifMatch: done.resourceVersion },
    body: { disposition: 'PAID', reason: 'Nothing remains' },
  })
  const { data: holding } = held.body
  const booked = await client.refreshTreasuryLedgerEntry({
    ...{ params: { id: holding.id }, ifMatch: holding.resourceVersion },
    body: { reason: 'Close of the month' },
  })
  return [booked.body.data]
}

/** Ledger against chain at blocks that are pinned, kept and looked over. */
export async function agree(client: Client, entries: readonly Stored[]): Promise<void> {
  const scope = { kind: 'ENTRIES' as const, entries: entries.map(entryRef) }
  const preview = await client.previewTreasuryReconciliation({ body: { scope } as never })
  const { reconciliationHash, computation } = preview.body.data
  const asOf = computation.snapshot?.chains.map(({ chainId, blockNumber, blockHash }) => ({
    ...{ chainId, blockNumber, blockHash },
  }))
  const { body } = await client.createTreasuryReconciliation({
    body: {
      request: { scope, asOf } as never,
      ...{ expectedReconciliationHash: reconciliationHash, reason: 'Close of the month' },
    },
  })
  const { id, resourceVersion, payload } = body.data
  if (payload.agreement !== 'AGREED') {
    throw new Error(`Ledger and chain of the demo do not agree: ${payload.agreement}.`)
  }
  await client.acknowledgeTreasuryReconciliation({
    ...{ params: { id }, ifMatch: resourceVersion },
    body: {
      ...{ lineKeys: 'ALL', assertion: 'MAPPING_CONFIRMED', reason: 'Close of the month' },
      note: 'The Safe holds what the ledger says',
    },
  })
}

async function assume(client: Client, asset: string) {
  const startMonth = new Date().toISOString().slice(0, 7)
  const { body } = await client.createTreasuryAssumptions({
    body: {
      ...{ label, quoteKey: asset, startMonth, horizonMonths: 24, minimumCashQuote: '0' },
      lines: [
        {
          ...{ lineId: 'payroll', label: 'Salaries', category: 'People', direction: 'OUTFLOW' },
          ...{ assetKey: asset, amount: `${payroll}`, growthAnnualPips: 0 },
          ...{ certainty: 'COMMITTED' },
          schedule: { kind: 'RECURRING', firstAt: `${startMonth}-28T00:00:00Z`, every: 'MONTH' },
        },
      ],
      scenarios: [
        {
          ...{ scenarioId: 'base', label: 'As it is', prices: [], inflowDelayMonths: 0 },
          ...{ inflowMultiplierPips: 1_000_000, outflowMultiplierPips: 1_000_000 },
        },
      ],
      ownTokenPolicy: { mode: 'EXCLUDE' },
      reason: 'Plan of the demo',
    } as never,
  })
  return body.data
}

type Projection = Awaited<
  ReturnType<Client['listTreasuryProjections']>
>['body']['data'][number]['payload']

function wordsOf({ opening, scenarios }: Projection): string {
  const held = opening.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n)
  // Nobody has signed for the Safe of the demo, so what it says is asserted.
  const runway = scenarios[0]?.runway.liquid.gross
  const lasts = runway
    ? `${(runway.monthsX3 / 1000).toFixed(1)} months${runway.beyondHorizon ? ' and more' : ''}`
    : 'an unknown time'
  const weth = (atoms: bigint) => `${atoms / ether} WETH`
  return `Our own treasury, a Safe with ${weth(funded)}: ${weth(audit)} paid the audit, ${weth(unrecorded)} left unrecorded and was found, ledger and chain agree at ${weth(held)}, which last ${lasts} as asserted: a custody statement would prove it.`
}
