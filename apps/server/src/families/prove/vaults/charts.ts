import type { contract } from '@liquidity-os/contract'
import {
  type ChartCells,
  type ChartClass,
  type ChartSpec,
  cellSeries,
  classedSeries,
  columnsOf,
  named,
  usedClasses,
} from '@liquidity-os/drawing'
import { singletonNameOf } from '../../../integrations/chain/safe-account.ts'

/** A vault and its newest receipts, oldest first: the part that charts use. */
export interface DrawnVault {
  readonly vault: contract.QualifiedVault
  readonly receipts: readonly contract.ExecutionReceipt[]
}

type Vault = DrawnVault['vault']
type Receipt = DrawnVault['receipts'][number]

/** The charts of a vault: control, checks, and executions. */
export const vaultCharts = (drawn: DrawnVault): ChartSpec[] => [
  controlChart(drawn),
  checksChart(drawn),
  receiptsChart(drawn),
]

/** Both ends of an address. */
const shorten = (address: string) => `${address.slice(0, 8)}…${address.slice(-6)}`
const groupDigits = (atoms: string) => atoms.replace('-', '−').replaceAll(/\B(?=(\d{3})+$)/g, ',')
const codeText = (code: string) => code.toLowerCase().replaceAll('_', ' ')

/** From the owners to the Safe, and from the contracts that act without them. */
function controlChart({ vault }: DrawnVault): ChartSpec {
  const { control, checks, controlEpoch, snapshot, qualification } = vault
  const failing = checks.flatMap(({ code, ok }) => (ok ? [] : [code]))
  const rows = controlRows(vault)
  return {
    id: 'vault-control',
    kind: 'path',
    title: `Control of the vault: ${codeText(qualification)}`,
    summary: `${control.threshold} of ${control.owners.length} owners must sign; ${control.modules.length} modules act without them. Control epoch ${controlEpoch}, read at block ${snapshot.number}. ${failing.length === 0 ? 'Every check holds.' : `Failing: ${failing.join(', ')}.`}`,
    x: named,
    table: { columns: controlColumns, rows },
    series: [classedSeries('edge', 'Control', ['from', 'to'], 'code')],
    classes: usedClasses(
      codeClasses,
      rows.map(([, , value = null]) => value),
    ),
    note: 'note',
    notes: [`Control epoch ${controlEpoch}.`],
  }
}

const codeClasses: readonly ChartClass[] = [
  { value: 'KEY', label: 'Key', tone: 'neutral' },
  { value: 'PUBLISHED', label: 'Published build', tone: 'good' },
  { value: 'DECLARED', label: 'Declared, or contract owner', tone: 'accent' },
  { value: 'UNKNOWN', label: 'Unknown code', tone: 'bad', isHatched: true },
]
const controlColumns = columnsOf({
  from: 'From',
  to: 'To',
  code: 'Code',
  note: 'Role',
  address: 'Address',
  hash: 'Code hash',
})

/** A row per account; its edge leads from the Safe. */
function controlRows(vault: Vault): ChartCells[] {
  const { control, attached, declared, safeAddress, checks } = vault
  const isSound = checks.every(({ code, ok }) => ok || (code !== 'SINGLETON' && code !== 'PROXY'))
  const build = singletonNameOf(control.singletonCodeHash) ?? 'unknown code'
  const { threshold, owners } = control
  const safe = `Safe ${shorten(safeAddress)}, ${build}: ${threshold} of ${owners.length} owners must sign`
  return [
    [
      safe,
      null,
      isSound ? 'PUBLISHED' : 'UNKNOWN',
      'account',
      safeAddress,
      control.singletonCodeHash,
    ],
    ...owners.map((owner, index): ChartCells => {
      const hasCode = control.ownersWithCode.includes(owner)
      const name = `Owner ${index + 1}: ${shorten(owner)}`
      const note = hasCode ? 'contract' : 'key'
      return [safe, name, hasCode ? 'DECLARED' : 'KEY', note, owner, null]
    }),
    ...attached.map(({ role, address, codeHash, name }): ChartCells => {
      const isDeclared = declared.some(
        (one) => one.address === address && one.codeHash === codeHash,
      )
      const code = name ? 'PUBLISHED' : isDeclared ? 'DECLARED' : 'UNKNOWN'
      const note = `${name ?? 'no known name'}${role === 'MODULE' ? ', acts without owners' : ''}`
      return [safe, `${roleNames[role]} ${shorten(address)}`, code, note, address, codeHash]
    }),
  ]
}

const roleNames = {
  MODULE: 'Module',
  GUARD: 'Guard',
  MODULE_GUARD: 'Module guard',
  FALLBACK_HANDLER: 'Handler',
} as const

/** Every check with its observed value. */
function checksChart({ vault: { checks, snapshot } }: DrawnVault): ChartSpec {
  const holding = checks.filter(({ ok }) => ok).length
  return {
    id: 'vault-checks',
    kind: 'heat',
    title: `Checks at block ${snapshot.number}`,
    summary: `${holding} of ${checks.length} checks hold, read ${snapshot.timestamp}.`,
    x: named,
    table: {
      columns: columnsOf({
        check: 'Check',
        state: 'State',
        result: 'Result',
        observed: 'Observed',
      }),
      rows: checks.map(({ code, ok, observed }) => [
        ...[codeText(code), ok ? 'HOLDS' : 'FAILS', ok ? 'holds' : 'fails', observed],
      ]),
    },
    series: cellSeries('check', { result: ['Result', 'state'], observed: 'Observed' }),
    classes: usedClasses(
      checkClasses,
      checks.map(({ ok }) => (ok ? 'HOLDS' : 'FAILS')),
    ),
    empty: 'No checks.',
  }
}

const checkClasses: readonly ChartClass[] = [
  { value: 'HOLDS', label: 'Holds', tone: 'good' },
  { value: 'FAILS', label: 'Fails', tone: 'bad' },
]

const approvals = {
  MATCHED: 'agreed',
  UNREGISTERED: 'unregistered',
  UNEXPECTED_EFFECT: 'unexpected effect',
} as const

/** Executions of a vault over time, by approval. */
function receiptsChart({ receipts }: DrawnVault): ChartSpec {
  const rows = receipts.map(receiptRow)
  const empty = 'No executions in the finalized blocks that were read.'
  return {
    id: 'vault-receipts',
    kind: 'heat',
    title: 'Executions of the vault',
    summary:
      receipts
        .map(
          ({ block, outcome, reconciliation, verdict }) =>
            `Block ${block.number}: ${outcome}, ${approvals[reconciliation]}, ${verdict}.`,
        )
        .join(' ') || empty,
    x: named,
    table: { columns: receiptColumns, rows: rows.toReversed() },
    series: cellSeries('name', {
      policy: ['Policy', 'class'],
      approval: ['Approval', 'match'],
      moved: 'Moved',
    }),
    classes: usedClasses(
      receiptClasses,
      rows.flatMap(([, one = null, , match = null]) => [one, match]),
    ),
    empty,
  }
}

const receiptClasses: readonly ChartClass[] = [
  { value: 'COMPLIANT', label: 'Within policy', tone: 'good' },
  { value: 'OPEN', label: 'No policy, or unknown', tone: 'accent' },
  { value: 'VIOLATING', label: 'Violates policy, or not as agreed', tone: 'bad' },
  { value: 'FAILED', label: 'Failed', tone: 'neutral' },
  { value: 'UNRESOLVED', label: 'Calls or signers unresolved', tone: 'warn', isHatched: true },
]
const receiptColumns = columnsOf({
  name: 'Block',
  class: 'Policy class',
  policy: 'Policy',
  match: 'Approval class',
  approval: 'Approval',
  moved: 'Moved',
  time: ['Time', 'UTC'],
  via: 'Via',
  nonce: 'Nonce',
  outcome: 'Outcome',
  assets: 'Moved, by address',
  transaction: 'Transaction',
})

function receiptRow(receipt: Receipt): ChartCells {
  const { block, via, nonce, outcome, reconciliation, verdict, effects, calls } = receipt
  const isResolved = calls !== null && receipt.signersResolved
  const moved = (nameOf: (asset: string) => string) =>
    effects.net
      .map(({ asset, delta }) => `${groupDigits(delta)} atoms of ${nameOf(asset)}`)
      .join(', ')
  const isOpen = verdict !== 'COMPLIANT' && verdict !== 'VIOLATING'
  const policy = outcome === 'FAILURE' ? 'FAILED' : isOpen ? 'OPEN' : verdict
  const isAgreed = reconciliation === 'MATCHED'
  return [
    ...[`${block.number}, ${block.timestamp.slice(0, 10)}`, policy],
    outcome === 'FAILURE' ? 'failed' : codeText(verdict),
    isResolved ? (isAgreed ? 'COMPLIANT' : 'VIOLATING') : 'UNRESOLVED',
    `${approvals[reconciliation]}${isResolved ? '' : ', unresolved'}`,
    ...[moved(shorten) || 'no transfers', block.timestamp, via, nonce, outcome],
    ...[moved((asset) => asset), receipt.transactionHash],
  ]
}
