import type { Client } from '@liquidity-os/client'
import {
  createSafe,
  erc20Abi,
  safeExecutionData,
  signSafeTransaction,
  weth9Abi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { attestAccount, proveSafe } from './custody.ts'
import type { LaunchChain } from './launch-chain.ts'

/**
 * A synthetic treasury next to the recorded launch, whose month is closed as an issuer would. Its
 * holdings cover all three evidence levels: Safe owners, a bank attestation, and self-reported.
 */

const ether = 10n ** 18n
const funded = 60n * ether
const audit = 6n * ether
const unrecorded = 1n * ether
const payroll = 4n * ether
const atBank = 20n * ether
const inWallet = 15n * ether
const label = 'Demo runway, a 2-of-3 Safe'

/** A Safe with three owners; two sign. */
class Treasury {
  readonly #launch: LaunchChain
  readonly safe: Address
  #nonce = 0n

  private constructor(launch: LaunchChain, safe: Address) {
    this.#launch = launch
    this.safe = safe
  }

  static async make(launch: LaunchChain): Promise<Treasury> {
    const { chain } = launch
    const owners = [5, 6, 7].map((index) => accountOf(launch, index).address)
    const safe = await createSafe(chain, { owners, threshold: 2, saltNonce: BigInt(Date.now()) })
    await fund(launch, safe, funded)
    return new Treasury(launch, safe)
  }

  /** As many owners as the Safe threshold requires. */
  get signers() {
    return [5, 6].map((index) => accountOf(this.#launch, index))
  }

  /** Pays by what two owners signed. @returns where the log of the transfer is */
  async pay(amount: bigint) {
    const { chain, quote } = this.#launch
    const { address: receiver } = accountOf(this.#launch, 9)
    const args = [receiver, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    const nonce = this.#nonce
    const transaction = { to: quote, value: 0n, data, operation: 0, nonce } as const
    const { safe, signers } = this
    const signatures = await signSafeTransaction(chain.chainId, safe, transaction, signers)
    const call = safeExecutionData(transaction, signatures)
    const mined = await chain.send({ from: receiver, to: this.safe, data: call })
    this.#nonce += 1n
    await chain.mine(2)
    const transfer = mined.logs.find(({ address }) => address.toLowerCase() === quote.toLowerCase())
    if (!transfer) throw new Error('The Safe made no payment.')
    const { transactionHash: txHash, logIndex } = transfer
    return { chainId: chain.chainId, txHash, logIndex }
  }
}

/** Gives an account some of the wrapped coin. */
async function fund(launch: LaunchChain, to: Address, amount: bigint): Promise<void> {
  const { chain, quote } = launch
  const { address: from } = accountOf(launch, 4)
  const deposit = encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' })
  await chain.send({ from, to: quote, data: deposit, value: amount })
  const args = [to, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await chain.send({ from, to: quote, data })
  // A block is finalized two blocks later.
  await chain.mine(2)
}

function accountOf({ chain }: LaunchChain, index: number) {
  const account = chain.accounts[index]
  if (!account) throw new Error(`The local chain has no account ${index}.`)
  return account
}

/**
 * Closes a month through the API. Covers holdings, obligations, payments, unrecorded outflow,
 * reconciliation against the chain, and runway. Runs once; a later start finds the result.
 *
 * @returns a text summary of the result
 */
export async function closeMonth(client: Client, launch: LaunchChain): Promise<string> {
  const { body } = await client.listTreasuryProjections()
  const known = body.data.find((projection) => projection.payload.label === label)
  const asset = `eip155:${launch.chain.chainId}/erc20:${launch.quote.toLowerCase()}`
  if (known) return wordsOf(client, asset, known.payload)
  const treasury = await Treasury.make(launch)
  const booked = await bookMonth(client, launch, treasury, asset)
  await agree(client, [booked])
  const { organizationId, payload } = booked
  await proveSafe(client, launch.chain, {
    organizationId,
    safe: treasury.safe,
    signers: treasury.signers,
    holding: { assetKey: asset, quantity: payload.observed?.quantity ?? '0' },
  })
  await enterAtBank(client, organizationId, asset)
  await enterWallet(client, launch, asset)
  const assumed = await assume(client, asset)
  // Without a list of entries, the projection covers all current holdings.
  const projected = await client.createTreasuryProjection({
    body: {
      assumptions: {
        resourceType: 'TreasuryAssumptions',
        id: assumed.id,
        resourceVersion: assumed.resourceVersion,
      },
      reason: 'Month-end close',
    },
  })
  return wordsOf(client, asset, projected.body.data.projection.payload)
}

/** An account whose bank signs what is in it. */
async function enterAtBank(client: Client, organizationId: string, asset: string) {
  const holding = { assetKey: asset, quantity: `${atBank}` }
  const { container, evidence } = await attestAccount(client, organizationId, holding)
  const { body } = await client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'ASSET',
        label: 'Bank account',
        asset,
        purpose: 'RUNWAY_RESERVE',
        container,
        observation: { mode: 'CUSTODY_EVIDENCE', evidence },
        valuation: { quoteKey: asset, oracleProviderId: 'none-needed' },
      },
      reason: 'Attested by the bank',
    },
  })
  return body.data
}

/**
 * A wallet without custody proof: its balance is read on chain, but its ownership is self-reported.
 */
async function enterWallet(client: Client, launch: LaunchChain, asset: string) {
  const address = privateKeyToAddress(generatePrivateKey())
  await fund(launch, address, inWallet)
  const { body } = await client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'ASSET',
        label: 'Wallet without a statement',
        asset,
        purpose: 'RUNWAY_RESERVE',
        container: { kind: 'EOA', chainId: launch.chain.chainId, address },
        valuation: { quoteKey: asset, oracleProviderId: 'none-needed' },
      },
      reason: 'Asserted by the organization',
    },
  })
  return body.data
}

export interface Stored {
  readonly id: string
  readonly resourceVersion: string
}
export const entryRef = ({ id, resourceVersion }: Stored) =>
  ({ resourceType: 'TreasuryBucket', id, resourceVersion }) as const

/**
 * Creates a holding and an obligation, pays from the Safe, and books the payments. Leaves one
 * outflow unrecorded.
 */
async function bookMonth(client: Client, launch: LaunchChain, treasury: Treasury, asset: string) {
  const { chainId } = launch.chain
  const held = await client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'ASSET',
        label,
        asset,
        purpose: 'RUNWAY_RESERVE',
        container: { kind: 'SAFE', chainId, address: treasury.safe },
        valuation: { quoteKey: asset, oracleProviderId: 'none-needed' },
      },
      reason: 'Demo treasury',
    },
  })
  const owed = await client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'OBLIGATION',
        label: 'Demo audit',
        asset,
        purpose: 'OPERATING',
        obligation: {
          obligationKind: 'VENDOR',
          counterparty: 'Auditor',
          reference: 'Launch audit',
          amount: `${audit}`,
          certainty: 'EXPECTED',
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
    params: { id: debt.id },
    ifMatch: debt.resourceVersion,
    body: { settlements: [paid], reason: 'Paid by the Safe' },
  })
  const { data: done } = settled.body
  await client.retireTreasuryLedgerEntry({
    params: { id: done.id },
    ifMatch: done.resourceVersion,
    body: { disposition: 'PAID', reason: 'Fully paid' },
  })
  const { data: holding } = held.body
  const booked = await client.refreshTreasuryLedgerEntry({
    params: { id: holding.id },
    ifMatch: holding.resourceVersion,
    body: { reason: 'Month-end close' },
  })
  return booked.body.data
}

/** Reconciles the ledger with the chain at pinned blocks, then stores and reviews the result. */
export async function agree(client: Client, entries: readonly Stored[]): Promise<void> {
  const scope = { kind: 'ENTRIES' as const, entries: entries.map(entryRef) }
  const preview = await client.previewTreasuryReconciliation({ body: { scope } as never })
  const { reconciliationHash, computation } = preview.body.data
  const asOf = computation.snapshot?.chains.map(({ chainId, blockNumber, blockHash }) => ({
    chainId,
    blockNumber,
    blockHash,
  }))
  const { body } = await client.createTreasuryReconciliation({
    body: {
      request: { scope, asOf } as never,
      expectedReconciliationHash: reconciliationHash,
      reason: 'Month-end close',
    },
  })
  const { id, resourceVersion, payload } = body.data
  if (payload.agreement !== 'AGREED') {
    throw new Error(`Ledger and chain of the demo do not match: ${payload.agreement}.`)
  }
  await client.acknowledgeTreasuryReconciliation({
    params: { id },
    ifMatch: resourceVersion,
    body: {
      lineKeys: 'ALL',
      assertion: 'MAPPING_CONFIRMED',
      reason: 'Month-end close',
      note: 'The balance of the Safe matches the ledger',
    },
  })
}

async function assume(client: Client, asset: string) {
  const startMonth = new Date().toISOString().slice(0, 7)
  const { body } = await client.createTreasuryAssumptions({
    body: {
      label,
      quoteKey: asset,
      startMonth,
      horizonMonths: 24,
      minimumCashQuote: '0',
      lines: [
        {
          lineId: 'payroll',
          label: 'Salaries',
          category: 'People',
          direction: 'OUTFLOW',
          assetKey: asset,
          amount: `${payroll}`,
          growthAnnualPips: 0,
          certainty: 'COMMITTED',
          schedule: { kind: 'RECURRING', firstAt: `${startMonth}-28T00:00:00Z`, every: 'MONTH' },
        },
      ],
      scenarios: [
        {
          scenarioId: 'base',
          label: 'Base case',
          prices: [],
          inflowDelayMonths: 0,
          inflowMultiplierPips: 1_000_000,
          outflowMultiplierPips: 1_000_000,
        },
      ],
      ownTokenPolicy: { mode: 'EXCLUDE' },
      reason: 'Demo plan',
    } as never,
  })
  return body.data
}

type Projection = Awaited<
  ReturnType<Client['listTreasuryProjections']>
>['body']['data'][number]['payload']

const known = {
  proven: 'a Safe: two of its owners signed a custody statement',
  attested: 'an account at a bank: the bank signed a custody statement',
  asserted: 'a wallet: no signed custody statement',
} as const

/** Current holdings per kind of control, and the runway of the projection. */
async function wordsOf(client: Client, asset: string, { scenarios }: Projection): Promise<string> {
  const { byAsset } = (await client.getTreasurySummary()).body.data
  const held = byAsset.find(({ assetKey }) => assetKey === asset)?.quantityControl
  const [base] = scenarios
  if (!held || !base) throw new Error('The demo treasury is missing from its summary.')
  const weth = (atoms: bigint) => `${atoms / ether} WETH`
  const rows = (['proven', 'attested', 'asserted'] as const).flatMap((kind) =>
    held[kind] === '0'
      ? []
      : [
          `  ${kind.toUpperCase().padEnd(8)}  ${weth(BigInt(held[kind])).padStart(8)}  ${known[kind]}`,
        ],
  )
  const lasts = ({ monthsX3, beyondHorizon }: Runway) =>
    `${(monthsX3 / 1000).toFixed(1)} months${beyondHorizon ? ' and more' : ''}`
  const counted = base.controlledRunway
    ? `Runway ${lasts(base.controlledRunway.liquid.gross)}, from proven and attested holdings. With the asserted wallet: ${lasts(base.runway.liquid.gross)}.`
    : `Runway ${lasts(base.runway.liquid.gross)}, from all holdings.`
  return [
    `Demo treasury: ${weth(funded)} in a Safe. ${weth(audit)} paid the audit. Reconciliation found an unrecorded outflow of ${weth(unrecorded)}. Ledger and chain match.`,
    ...rows,
    counted,
  ].join('\n')
}

type Runway = Projection['scenarios'][number]['runway']['liquid']['gross']
