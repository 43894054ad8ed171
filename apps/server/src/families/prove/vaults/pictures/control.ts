import {
  type Drawing,
  drawing,
  fitText,
  flowedKeys,
  ink,
  isNarrow,
  letterOn,
  lineBetween,
  linesOn,
  type Paper,
  type Point,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { singletonNameOf } from '../../../../integrations/chain/safe-account.ts'
import { type DrawnVault, lights, shortAddress } from './drawn.ts'

type Vault = DrawnVault['vault']

const rowHeight = 26
/** Drawn owners and contracts; the table has all. */
const maxRows = 12
const stroke = { color: ink.axis, width: 1 }
const box = (x: number, y: number, width: number, height: number): Shape => ({
  kind: 'rect',
  x,
  y,
  width,
  height,
  fill: ink.paper,
  stroke,
})
const light = (x: number, y: number, color: string, isHollow = false): Shape => ({
  kind: 'mark',
  form: isHollow ? 'diamond' : 'circle',
  x,
  y,
  size: 8,
  color,
  isHollow,
})

interface Span {
  readonly x: number
  readonly width: number
}

interface Ring {
  readonly x: number
  readonly radius: number
}

/**
 * Positions of owners, threshold ring, Safe and attached contracts: side by side if the width
 * allows.
 */
interface Places {
  readonly owners: Span
  readonly ring: Ring
  readonly safe: Span
  readonly attached: Span
  /** True if the Safe is drawn below its owners, and the attached contracts below the Safe. */
  readonly isStacked: boolean
  readonly paper: Paper
}

const usual = {
  owners: { x: 20, width: 168 },
  ring: { x: 266, radius: 20 },
  safe: { x: 322, width: 168 },
} as const
const boxWidth = 168
/** Larger text needs a larger ring. */
const screenRadius = 27
const minWideWidth = 760

function placesOn(paper: Paper): Places {
  const { width } = paper
  if (paper.minFontSize === 0)
    return { ...usual, attached: { x: 556, width: 190 }, isStacked: false, paper }
  if (width < minWideWidth) {
    const whole = Math.min(width - 24, 320)
    return {
      owners: { x: 12, width: boxWidth },
      ring: { x: boxWidth + 62, radius: screenRadius },
      isStacked: true,
      paper,
      safe: { x: 12, width: whole },
      attached: { x: 40, width: whole - 28 },
    }
  }
  const owners = usual.owners
  const attached = { x: width - 230, width: 216 }
  // Ring and Safe are centered between their connected boxes.
  const between = attached.x - owners.x - boxWidth - 2 * screenRadius - 36 - boxWidth
  const ring = { x: owners.x + boxWidth + between / 2 + screenRadius, radius: screenRadius }
  const safe = { x: ring.x + screenRadius + 36, width: boxWidth }
  return { owners, ring, safe, attached, isStacked: false, paper }
}

/** Owners of a Safe and contracts that act without them, with code status and the checks below. */
export function drawControl({ vault }: DrawnVault, paper: Paper): Drawing {
  const { control, attached, checks, controlEpoch, snapshot, qualification } = vault
  const places = placesOn(paper)
  const { shapes, bottom } = places.isStacked
    ? partsBelow(vault, places)
    : layoutWide(vault, places)
  const keys = flowedKeys(legendKeys(bottom + 24), paper)
  const below = bottom + 52 + keys.more
  const drawnChecks = checksOf(vault, below, paper)
  const failing = checks.flatMap(({ code, ok }) => (ok ? [] : [code]))
  return drawing(
    {
      id: 'vault-control',
      title: `Control of the vault: ${qualification}`,
      description: `${control.threshold} of ${control.owners.length} owners must sign; ${control.modules.length} modules act without them. Control epoch ${controlEpoch}, read at block ${snapshot.number}. ${failing.length === 0 ? 'Every check holds.' : `Failing: ${failing.join(', ')}.`}`,
    },
    {
      columns: ['what', 'address or check', 'status or code', 'observed'],
      rows: [
        ...control.owners.map((owner) => [
          ...['OWNER', owner, control.ownersWithCode.includes(owner) ? 'contract' : 'key', ''],
        ]),
        ...attached.map(({ role, address, codeHash, name }) => [
          role,
          address,
          codeHash,
          name ?? null,
        ]),
        ...checks.map(({ code, ok, observed }) => ['CHECK', code, ok ? 'yes' : 'no', observed]),
      ],
    },
    { height: drawnChecks.bottom, shapes: [...shapes, ...keys.shapes, ...drawnChecks.shapes] },
    paper,
  )
}

interface Parts {
  readonly shapes: Shape[]
  readonly bottom: number
}

const ownersTitle = 'owners'
const safeTitle = 'Safe'
const attachedTitle = 'modules, guards, handlers'
const rowsOf = (list: readonly unknown[]) => Math.max(1, Math.min(maxRows, list.length))

function layoutWide(vault: Vault, places: Places): Parts {
  const { safe, attached } = places
  const rows = Math.max(rowsOf(vault.control.owners), rowsOf(vault.attached))
  const top = 34
  const middle = top + (rows * rowHeight) / 2
  const titleX = safe.x + 8
  const ringEnd = { x: places.ring.x + places.ring.radius + 1, y: middle }
  return {
    shapes: [
      textAt(20, 18, ownersTitle, { isBold: true }),
      textAt(titleX, 18, safeTitle, { isBold: true }),
      textAt(attached.x, 18, attachedTitle, { isBold: true }),
      ...ownersOf(vault, top, middle, places),
      ...ringOf(vault, middle, places),
      lineBetween(ringEnd, { x: safe.x, y: middle }, { color: ink.text, width: 2 }),
      ...safeOf(vault, middle, places),
      ...attachedOf(vault, top, { x: safe.x + safe.width, y: middle }, places),
    ],
    bottom: top + rows * rowHeight,
  }
}

function partsBelow(vault: Vault, places: Places): Parts {
  const { safe, ring } = places
  const top = 34
  const ownersEnd = top + Math.max(2, rowsOf(vault.control.owners)) * rowHeight
  const middle = (top + ownersEnd) / 2
  const safeTop = ownersEnd + 34
  const attachedTop = safeTop + 48 + 34
  const from = { x: ring.x, y: middle + ring.radius + 1 }
  return {
    shapes: [
      textAt(12, 18, ownersTitle, { isBold: true }),
      textAt(12, safeTop - 10, safeTitle, { isBold: true }),
      textAt(40, attachedTop - 10, attachedTitle, { isBold: true }),
      ...ownersOf(vault, top, middle, places),
      ...ringOf(vault, middle, places),
      lineBetween(from, { x: ring.x, y: safeTop }, { color: ink.text, width: 2 }),
      ...safeOf(vault, safeTop + 24, places),
      ...attachedOf(vault, attachedTop, { x: safe.x + 10, y: safeTop + 48 }, places),
    ],
    bottom: attachedTop + rowsOf(vault.attached) * rowHeight,
  }
}

function ownersOf({ control }: Vault, top: number, middle: number, places: Places): Shape[] {
  const { owners, ownersWithCode } = control
  const { x, width } = places.owners
  const shown = owners.slice(0, owners.length > maxRows ? maxRows - 1 : maxRows)
  const shapes = shown.flatMap((owner, index): Shape[] => {
    const y = top + index * rowHeight
    const isContract = ownersWithCode.includes(owner)
    return [
      box(x, y, width, 20),
      light(x + 12, y + 10, isContract ? lights.declared : ink.axis, isContract),
      textAt(x + 22, y + 14, shortAddress(owner)),
      lineBetween(
        { x: x + width, y: y + 10 },
        { x: places.ring.x - places.ring.radius, y: middle },
        stroke,
      ),
    ]
  })
  const hidden = owners.length - shown.length
  const more = `and ${hidden} more, in the table`
  return hidden === 0
    ? shapes
    : [...shapes, textAt(x, top + shown.length * rowHeight + 14, more, { color: ink.faint })]
}

function ringOf({ control }: Vault, y: number, { ring: { x, radius } }: Places): Shape[] {
  const count = `${control.threshold} of ${control.owners.length}`
  return [
    { kind: 'mark', form: 'circle', x, y, size: 2 * radius, color: ink.text, isHollow: true },
    textAt(x, y + 4, count, { anchor: 'middle', size: 9, isBold: true }),
  ]
}

function safeOf(
  { control, safeAddress, checks, controlEpoch }: Vault,
  middle: number,
  { safe: { x, width }, paper }: Places,
): Shape[] {
  const name = singletonNameOf(control.singletonCodeHash) ?? 'unknown code'
  const isSound = checks.every(({ code, ok }) => ok || (code !== 'SINGLETON' && code !== 'PROXY'))
  return [
    box(x, middle - 24, width, 48),
    light(x + 14, middle - 10, isSound ? lights.sound : lights.unknown),
    textAt(x + 24, middle - 6, shortAddress(safeAddress), { isBold: true }),
    textAt(x + 10, middle + 8, fitText(name, width - 18, letterOn(paper, 9)), { size: 9 }),
    textAt(x + 10, middle + 19, `control epoch ${controlEpoch}`, { size: 9, color: ink.faint }),
  ]
}

function attachedOf(
  { attached, declared }: Vault,
  top: number,
  from: Point,
  { attached: { x, width }, isStacked, paper }: Places,
): Shape[] {
  if (attached.length === 0) {
    return [textAt(x, isStacked ? top + 14 : from.y + 4, 'nothing', { color: ink.faint })]
  }
  return attached.slice(0, maxRows).flatMap(({ role, address, codeHash, name }, index): Shape[] => {
    const y = top + index * rowHeight
    const isDeclared = declared.some((one) => one.address === address && one.codeHash === codeHash)
    const color = name ? lights.sound : isDeclared ? lights.declared : lights.unknown
    const acts = role === 'MODULE'
    return [
      lineBetween(
        from,
        { x, y: y + 10 },
        { ...stroke, ...(acts ? { color: ink.text, width: 2 } : { dash: [3, 3] }) },
      ),
      box(x, y, width, 20),
      light(x + 12, y + 10, color),
      textAt(
        x + 22,
        y + 14,
        fitText(`${shortAddress(address)} ${words[role]}`, width - 26, letterOn(paper, 10)),
      ),
    ]
  })
}

function legendKeys(y: number): Shape[][] {
  const label = [
    [lights.sound, 'published build'],
    [lights.declared, 'declared, or contract owner'],
    [lights.unknown, 'unknown'],
  ] as const
  return label.map(([color, text], index) => [
    light(24 + index * 210, y - 3, color),
    textAt(34 + index * 210, y, text, { size: 9, color: ink.faint }),
  ])
}

const words = {
  MODULE: 'module',
  GUARD: 'guard',
  MODULE_GUARD: 'module guard',
  FALLBACK_HANDLER: 'handler',
} as const

/**
 * Every check with its observed value: two per line in a report, full text below the name on
 * screen.
 */
function checksOf({ checks, snapshot }: Vault, top: number, paper: Paper): Parts {
  const read = `checks at block ${snapshot.number}, ${snapshot.timestamp}`
  if (paper.minFontSize === 0) {
    const shapes = checks.flatMap(({ code, ok, observed }, index): Shape[] => {
      const x = 20 + (index % 2) * 370
      const y = top + 20 + Math.floor(index / 2) * 18
      return [
        checkMark(ok, { x: x + 5, y: y - 4 }),
        textAt(x + 16, y, code, { size: 9, isBold: !ok }),
        textAt(x + 126, y, fitText(observed, 232, 9), { size: 9, color: ink.faint }),
      ]
    })
    const bottom = top + 24 + 18 * Math.ceil(checks.length / 2)
    return { shapes: [textAt(20, top, read, { isBold: true }), ...shapes], bottom }
  }
  const [x, end] = [12, paper.width - 12]
  const head = linesOn(paper, { x, end, y: top }, read, { isBold: true })
  let y = top + head.more + 22
  const shapes = checks.flatMap(({ code, ok, observed }) => {
    const isInline = !isNarrow(paper)
    const seen = linesOn(
      paper,
      isInline ? { x: x + 170, end, y } : { x: x + 16, end, y: y + 15 },
      observed,
      { size: 9, color: ink.faint },
    )
    const name = textAt(x + 16, y, code, { size: 9, isBold: !ok })
    const mark = checkMark(ok, { x: x + 5, y: y - 4 })
    y += seen.more + (isInline ? 20 : 36)
    return [mark, name, ...seen.shapes]
  })
  return { shapes: [...head.shapes, ...shapes], bottom: y }
}

const checkMark = (ok: boolean, { x, y }: Point): Shape => ({
  kind: 'mark',
  form: ok ? 'circle' : 'cross',
  x,
  y,
  size: 9,
  color: ok ? lights.sound : lights.unknown,
  isHollow: false,
})
