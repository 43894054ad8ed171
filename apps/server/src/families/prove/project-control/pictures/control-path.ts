import type { contract } from '@liquidity-os/contract'
import {
  type Drawing,
  drawing,
  fitText,
  ink,
  letterOn,
  lineBetween,
  noteOn,
  type Paper,
  type Shape,
  textAt,
  widthOf,
} from '@liquidity-os/drawing'
import { daySeconds, hourSeconds } from '../../../../units.ts'
import type { DrawnProof } from '../pictures.ts'

type Hop = contract.ControlHop

const strengthColors = {
  FULL: '#009e73',
  DELAYED: '#e69f00',
  PARTIAL_SIGNER: '#d55e00',
  HISTORICAL_ORIGIN: ink.axis,
} as const
const strengthWords = {
  FULL: 'full control, immediate',
  DELAYED: 'full control, after a delay',
  PARTIAL_SIGNER: 'partial control, with other signers',
  HISTORICAL_ORIGIN: 'original deployer, no control',
} as const

const boxWidth = 360
const boxHeight = 38
const step = 92

/**
 * Control path from the token to the controlling account: data read, delays and co-signers per
 * step.
 */
export function drawControlPath({ status, proof }: DrawnProof, paper: Paper): Drawing {
  const { path, token, claimant, strength, method, lapse } = proof
  const accounts = [token, ...path.map(({ to }) => to)]
  const color = strengthColors[strength]
  const shapes: Shape[] = accounts.flatMap((address, index) => {
    const isLast = index === accounts.length - 1
    const y = 16 + index * step
    const role = index === 0 ? 'the token' : isLast ? 'the claimant' : 'through'
    return [
      ...accountBox({ address, role }, y, isLast ? color : ink.axis, paper),
      ...(isLast ? [] : hopOf(path[index]!, y + boxHeight, paper)),
    ]
  })
  const bottom = 16 + accounts.length * step - (step - boxHeight) + 26
  const stands =
    status === 'ACTIVE' ? `is valid until ${proof.validUntil}` : `is ${status.toLowerCase()}`
  const claimed = noteOn(
    paper,
    { x: 20, y: bottom + 16 },
    `claimed method ${method}; the proof ${stands}`,
    { size: 9, color: ink.faint },
  )
  shapes.push(
    textAt(20, bottom, `${strength}: ${strengthWords[strength]}`, { isBold: true, color }),
    ...claimed.shapes,
  )
  if (lapse) {
    const why = fitText(`lapsed: ${lapse.detail}`, paper.width - 40, letterOn(paper, 9))
    shapes.push(
      textAt(20, bottom + 30 + claimed.more, why, {
        size: 9,
        color: strengthColors.PARTIAL_SIGNER,
      }),
    )
  }
  return drawing(
    {
      id: 'control-path',
      title: `Control of the token: ${strength}`,
      description: `From ${token} to ${claimant} in ${path.length} steps. ${path.map((hop) => `${hop.from}: ${hop.evidence.read} returned ${hop.evidence.answer}${conditionOf(hop) ? `, ${conditionOf(hop)}` : ''}.`).join(' ')} The proof ${stands}.`,
    },
    {
      columns: ['from', 'relation', 'to', 'read', 'answer', 'condition', 'code'],
      rows: path.map((hop) => [
        ...[hop.from, hop.relation, hop.to, hop.evidence.read, hop.evidence.answer],
        ...[conditionOf(hop), hop.evidence.codeHash],
      ]),
    },
    { height: bottom + 40 + claimed.more, shapes },
    paper,
  )
}

function accountBox(
  { address, role }: { address: string; role: string },
  y: number,
  color: string,
  paper: Paper,
): Shape[] {
  const stroke = { color, width: 1.6 }
  const width = Math.min(boxWidth, paper.width - 40)
  const letter = letterOn(paper, 10.5)
  const isWhole = widthOf(address, letter, true) <= width - 24
  const label = isWhole ? address : `${address.slice(0, 12)}…${address.slice(-10)}`
  return [
    { kind: 'rect', x: 20, y, width, height: boxHeight, fill: ink.paper, stroke },
    textAt(32, y + 15, role, { size: 9, color: ink.faint }),
    textAt(32, y + 29, label, { size: 10.5, isBold: true }),
  ]
}

function hopOf(hop: Hop, y: number, paper: Paper): Shape[] {
  const condition = conditionOf(hop)
  const end = y + step - boxHeight
  const isBound = condition !== ''
  const stroke = { color: isBound ? strengthColors.DELAYED : ink.text, width: 2 }
  const dash = isBound ? { dash: [5, 4] } : {}
  const letter = letterOn(paper, 9)
  const availableWidth = paper.width - 80
  const read = fitText(`${hop.evidence.read} = ${hop.evidence.answer}`, availableWidth, letter)
  return [
    lineBetween({ x: 40, y }, { x: 40, y: end }, { ...stroke, ...dash }),
    textAt(54, y + 20, hop.relation, { size: 10, isBold: true }),
    textAt(54, y + 33, read, { size: 9, color: ink.faint }),
    ...(isBound
      ? [
          textAt(54, y + 46, fitText(condition, availableWidth, letter, true), {
            size: 9,
            color: ink.text,
            isBold: true,
          }),
        ]
      : []),
  ]
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
