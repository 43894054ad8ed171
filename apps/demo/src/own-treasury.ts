import { type Client, each } from '@liquidity-os/client'
import {
  createSafe,
  erc20Abi,
  safeExecutionData,
  signSafeTransaction,
  weth9Abi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { attestAccount, proveSafe } from './custody.ts'
import type { LaunchChain } from './launch-chain.ts'
import { firstOf } from './resources.ts'

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
const nonceAbi = parseAbi(['function nonce() view returns (uint256)'])

/** A Safe with three owners; two sign. */
class Treasury {
  readonly #launch: LaunchChain
  readonly safe: Address

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

  /** The Safe of an interrupted close; null if this chain has no such Safe. */
  static async find(launch: LaunchChain, safe: Address): Promise<Treasury | null> {
    const code = await launch.chain.publicClient.getCode({ address: safe })
    return code ? new Treasury(launch, safe) : null
  }

  /** As many owners as the Safe threshold requires. */
  get signers() {
    return [5, 6].map((index) => accountOf(this.#launch, index))
  }

  /** Pays an amount once, by what two owners signed. @returns where the log of the transfer is */
  async pay(amount: bigint) {
    return (await this.#findPayment(amount)) ?? this.#payNow(amount)
  }

  async #findPayment(amount: bigint) {
    const { chain, quote } = this.#launch
    const payments = await chain.publicClient.getContractEvents({
      address: quote,
      abi: erc20Abi,
      eventName: 'Transfer',
      args: { from: this.safe },
      fromBlock: 0n,
      strict: true,
    })
    const paid = payments.find(({ args }) => args.amount === amount)
    if (!paid) return null
    const { transactionHash: txHash, logIndex } = paid
    return { chainId: chain.chainId, txHash, logIndex }
  }

  async #payNow(amount: bigint) {
    const { chain, quote, blocks } = this.#launch
    const { address: receiver } = accountOf(this.#launch, 9)
    const args = [receiver, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    const read = { address: this.safe, abi: nonceAbi, functionName: 'nonce' } as const
    const nonce = await chain.publicClient.readContract(read)
    const transaction = { to: quote, value: 0n, data, operation: 0, nonce } as const
    const { safe, signers } = this
    const signatures = await signSafeTransaction(chain.chainId, safe, transaction, signers)
    const call = safeExecutionData(transaction, signatures)
    const mined = await chain.send({ from: receiver, to: this.safe, data: call })
    await chain.mine(2)
    await blocks.keep()
    const transfer = mined.logs.find(({ address }) => address.toLowerCase() === quote.toLowerCase())
    if (!transfer) throw new Error('The Safe made no payment.')
    const { transactionHash: txHash, logIndex } = transfer
    return { chainId: chain.chainId, txHash, logIndex }
  }
}

/** Gives an account some of the wrapped coin, and keeps the blocks before a record refers to them. */
async function fund(launch: LaunchChain, to: Address, amount: bigint): Promise<void> {
  const { chain, quote, blocks } = launch
  const { address: from } = accountOf(launch, 4)
  const deposit = encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' })
  await chain.send({ from, to: quote, data: deposit, value: amount })
  const args = [to, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await chain.send({ from, to: quote, data })
  // A block is finalized two blocks later.
  await chain.mine(2)
  await blocks.keep()
}

function accountOf({ chain }: LaunchChain, index: number) {
  const account = chain.accounts[index]
  if (!account) throw new Error(`The local chain has no account ${index}.`)
  return account
}

/**
 * Closes a month through the API. Covers holdings, obligations, payments, unrecorded outflow,
 * reconciliation against the chain, and runway. Runs once; a later start finds the result, or
 * resumes from the records of an interrupted one.
 *
 * @returns a text summary of the result
 */
export async function closeMonth(client: Client, launch: LaunchChain): Promise<string> {
  const known = await firstOf(
    each(client.listTreasuryProjections),
    ({ payload }) => payload.label === label,
  )
  const asset = `eip155:${launch.chain.chainId}/erc20:${launch.quote.toLowerCase()}`
  if (known) return wordsOf(client, asset, known.payload)
  const { treasury, holding } = await holdSafe(client, launch, asset)
  const booked = await bookMonth(client, launch, treasury, holding, asset)
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

/** The latest entry of the demo with this label. */
const findEntry = (client: Client, wanted: string) =>
  firstOf(each(client.listTreasuryEntries), ({ payload }) => payload.label === wanted)

/** The Safe with its entry: those of an interrupted close, or new ones. */
async function holdSafe(client: Client, launch: LaunchChain, asset: string) {
  const known = await findEntry(client, label)
  const container = known?.payload.entryKind === 'ASSET' ? known.payload.container : null
  if (known && container?.kind === 'SAFE') {
    const treasury = await Treasury.find(launch, container.address as Address)
    if (treasury) return { treasury, holding: known }
  }
  const treasury = await Treasury.make(launch)
  const { chainId } = launch.chain
  const { body } = await client.createTreasuryEntries({
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
  return { treasury, holding: body.data }
}

/** An account whose bank signs what is in it. */
async function enterAtBank(client: Client, organizationId: string, asset: string): Promise<void> {
  const label = 'Bank account'
  if (await findEntry(client, label)) return
  const holding = { assetKey: asset, quantity: `${atBank}` }
  const { container, evidence } = await attestAccount(client, organizationId, holding)
  await client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'ASSET',
        label,
        asset,
        purpose: 'RUNWAY_RESERVE',
        container,
        observation: { mode: 'CUSTODY_EVIDENCE', evidence },
        valuation: { quoteKey: asset, oracleProviderId: 'none-needed' },
      },
      reason: 'Attested by the bank',
    },
  })
}

/**
 * A wallet without custody proof: its balance is read on chain, but its ownership is self-reported.
 */
async function enterWallet(client: Client, launch: LaunchChain, asset: string): Promise<void> {
  const label = 'Wallet without a statement'
  if (await findEntry(client, label)) return
  const address = privateKeyToAddress(generatePrivateKey())
  await fund(launch, address, inWallet)
  await client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'ASSET',
        label,
        asset,
        purpose: 'RUNWAY_RESERVE',
        container: { kind: 'EOA', chainId: launch.chain.chainId, address },
        valuation: { quoteKey: asset, oracleProviderId: 'none-needed' },
      },
      reason: 'Asserted by the organization',
    },
  })
}

export interface Stored {
  readonly id: string
  readonly resourceVersion: string
}
export const entryRef = ({ id, resourceVersion }: Stored) =>
  ({ resourceType: 'TreasuryBucket', id, resourceVersion }) as const

/**
 * Creates an obligation, pays from the Safe, and books the payments. Leaves one outflow unrecorded.
 */
async function bookMonth(
  client: Client,
  { chain, blocks }: LaunchChain,
  treasury: Treasury,
  { id }: Stored,
  asset: string,
) {
  const debt = await enterDebt(client, asset)
  const paid = await treasury.pay(audit)
  await treasury.pay(unrecorded)
  if (debt.status !== 'RETIRED') await settle(client, debt, paid)
  // An entry is refreshed at a later block than its last observation, also if this is the second time.
  await chain.mine(2)
  await blocks.keep()
  const holding = await client.getTreasuryEntries({ params: { id } })
  const booked = await client.refreshTreasuryLedgerEntry({
    params: { id },
    ifMatch: holding.body.data.resourceVersion,
    body: { reason: 'Month-end close' },
  })
  return booked.body.data
}

/** The obligation of the month, that of an interrupted close if it is there. */
async function enterDebt(client: Client, asset: string) {
  const label = 'Demo audit'
  const known = await findEntry(client, label)
  if (known) return known
  const { body } = await client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'OBLIGATION',
        label,
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
  return body.data
}

type Entry = Awaited<ReturnType<typeof enterDebt>>
type Payment = Awaited<ReturnType<Treasury['pay']>>

/** Books the payment of an obligation, unless an interrupted close did, and retires it. */
async function settle(client: Client, debt: Entry, paid: Payment): Promise<void> {
  const isSettled = debt.payload.entryKind === 'OBLIGATION' && debt.payload.settled !== '0'
  const settled = isSettled
    ? debt
    : (
        await client.refreshTreasuryLedgerEntry({
          params: { id: debt.id },
          ifMatch: debt.resourceVersion,
          body: { settlements: [paid], reason: 'Paid by the Safe' },
        })
      ).body.data
  await client.retireTreasuryLedgerEntry({
    params: { id: settled.id },
    ifMatch: settled.resourceVersion,
    body: { disposition: 'PAID', reason: 'Fully paid' },
  })
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
