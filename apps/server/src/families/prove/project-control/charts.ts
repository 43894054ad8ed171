import type { contract } from '@liquidity-os/contract'
import {
  type ChartCells,
  type ChartClass,
  type ChartSpec,
  classedSeries,
  columnsOf,
  named,
} from '@liquidity-os/drawing'
import { daySeconds, hourSeconds } from '../../../units.ts'

type Hop = contract.ControlHop
type Proof = contract.ProjectControlProof

export interface DrawnProof {
  readonly status: string
  readonly proof: Proof
}

const strengths: Readonly<Record<Proof['strength'], Omit<ChartClass, 'value'>>> = {
  FULL: { label: 'Full control, immediate', tone: 'good' },
  DELAYED: { label: 'Full control, after a delay', tone: 'warn' },
  PARTIAL_SIGNER: { label: 'Partial control, with other signers', tone: 'warn' },
  HISTORICAL_ORIGIN: { label: 'Original deployer, no control', tone: 'neutral', isHatched: true },
}

/** From the token to the claimant: each step with the data read, its delay and its co-signers. */
export function controlCharts({ status, proof }: DrawnProof): ChartSpec[] {
  const { path, token, claimant, strength, method, lapse, validUntil } = proof
  const validity =
    status === 'ACTIVE' ? `is valid until ${validUntil}` : `is ${status.toLowerCase()}`
  const read = path.map((hop) => `${hop.from}: ${describeHop(hop)}.`).join(' ')
  return [
    {
      id: 'control-path',
      kind: 'path',
      title: `Control of the token: ${strengths[strength].label.toLowerCase()}`,
      summary: `From ${token} to ${claimant} in ${path.length} steps. ${read} The proof ${validity}.`,
      x: named,
      table: {
        columns: pathColumns,
        rows: [
          [`Token ${shorten(token)}`, null, 'THROUGH', '', '', '', '', '', '', token, ''],
          ...path.map((hop, index) => hopRow(proof, hop, index)),
        ],
      },
      series: [classedSeries('edge', 'Control', ['from', 'to'], 'strength')],
      classes: [{ value: strength, ...strengths[strength] }],
      note: 'note',
      notes: [
        `Claimed method: ${method}. The proof ${validity}.`,
        ...(lapse ? [`Lapsed: ${lapse.detail}`] : []),
      ],
    },
  ]
}

const pathColumns = columnsOf({
  from: 'From',
  to: 'To',
  strength: 'Strength',
  note: 'Summary',
  relation: 'Relation',
  read: 'Read',
  answer: 'Answer',
  condition: 'Condition',
  code: 'Code hash',
  fromAddress: 'From, address',
  toAddress: 'To, address',
})

/** Both ends of addresses and role hashes; the table has them in full. */
const shorten = (text: string) =>
  text.replaceAll(/0x[0-9a-fA-F]{40,64}/g, (hex) => `${hex.slice(0, 10)}…${hex.slice(-8)}`)

function hopRow({ path, token, strength }: Proof, hop: Hop, index: number): ChartCells {
  const isLast = index === path.length - 1
  const { from, relation, to, evidence } = hop
  return [
    `${from === token ? 'Token' : 'Account'} ${shorten(from)}`,
    `${isLast ? 'Claimant' : 'Account'} ${shorten(to)}`,
    ...[isLast ? strength : 'THROUGH', shorten(`${relation}: ${describeHop(hop)}`)],
    ...[relation, evidence.read, evidence.answer, conditionOf(hop), evidence.codeHash],
    ...[from, to],
  ]
}

function describeHop(hop: Hop): string {
  const condition = conditionOf(hop)
  const { read, answer } = hop.evidence
  return `${read} returned ${answer}${condition === '' ? '' : `, ${condition}`}`
}

/**
 * Conditions for a step to take effect, such as delays or other signers; empty if unconditional.
 */
function conditionOf({ relation, evidence: { safe, timelock } }: Hop): string {
  if (timelock) {
    const open = timelock.isExecutionOpen
      ? 'proposers can also execute'
      : 'separate accounts execute'
    return `after at least ${spanOf(Number(timelock.minDelaySeconds))}; ${open}`
  }
  if (relation !== 'safeOwner' || !safe) return ''
  const modules = safe.modules.length > 0 ? `; ${safe.modules.length} modules can act alone` : ''
  return safe.threshold === 1
    ? `1 of ${safe.owners.length} owners is enough${modules}`
    : `${safe.threshold} of ${safe.owners.length} owners must sign${modules}`
}

function spanOf(seconds: number): string {
  const days = seconds / daySeconds
  if (days >= 1) return `${Number(days.toFixed(1))} days`
  return seconds >= hourSeconds
    ? `${Number((seconds / hourSeconds).toFixed(1))} hours`
    : `${Math.round(seconds)} seconds`
}
