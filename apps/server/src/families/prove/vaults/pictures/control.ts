import {
  type Drawing,
  drawing,
  fitText,
  ink,
  lineBetween,
  type Shape,
  textAt,
} from '@liquidity-os/drawing'
import { singletonNameOf } from '../../../../outside/chain/safe-account.ts'
import { type DrawnVault, lights, shortAddress } from './drawn.ts'

type Vault = DrawnVault['vault']

const rowHeight = 26
/** Owners and contracts that are drawn; the table has all. */
const mostRows = 12
const stroke = { color: ink.axis, width: 1 }
const box = (x: number, y: number, width: number, height: number): Shape => ({
  ...{ kind: 'rect', x, y, width, height, fill: ink.paper, stroke },
})
const light = (x: number, y: number, color: string, isHollow = false): Shape => ({
  ...{ kind: 'mark', form: isHollow ? 'diamond' : 'circle', x, y, size: 8, color, isHollow },
})

/** Who decides for a Safe and what acts without them, each with what is known of its code, and the checks below. */
export function drawControl({ vault }: DrawnVault): Drawing {
  const { control, attached, checks, controlEpoch, snapshot, qualification } = vault
  const rows = Math.max(1, Math.min(mostRows, Math.max(control.owners.length, attached.length)))
  const top = 34
  const middle = top + (rows * rowHeight) / 2
  const shapes: Shape[] = [
    textAt(20, 18, 'owners', { isBold: true }),
    textAt(330, 18, 'the Safe', { isBold: true }),
    textAt(556, 18, 'acts without them, or for them', { isBold: true }),
    ...ownersOf(vault, top, middle),
    ...safeOf(vault, middle),
    ...attachedOf(vault, top, middle),
  ]
  const below = top + rows * rowHeight + 52
  shapes.push(...legend(below - 28), ...checksOf(vault, below))
  const height = below + 24 + 18 * Math.ceil(checks.length / 2)
  const failing = checks.flatMap(({ code, ok }) => (ok ? [] : [code]))
  return drawing(
    {
      id: 'vault-control',
      title: `Who controls the vault: ${qualification}`,
      description: `${control.threshold} of ${control.owners.length} owners decide; ${control.modules.length} modules act without them. Control epoch ${controlEpoch}, read at block ${snapshot.number}. ${failing.length === 0 ? 'Every check holds.' : `Failing: ${failing.join(', ')}.`}`,
    },
    {
      columns: ['what', 'address or check', 'holds or code', 'observed'],
      rows: [
        ...control.owners.map((owner) => [
          ...['OWNER', owner, control.ownersWithCode.includes(owner) ? 'contract' : 'key', ''],
        ]),
        ...attached.map(({ role, address, codeHash, name }) => [
          role,
          address,
          codeHash,
          name ?? '',
        ]),
        ...checks.map(({ code, ok, observed }) => ['CHECK', code, ok ? 'yes' : 'no', observed]),
      ],
    },
    { height, shapes },
  )
}

function ownersOf({ control }: Vault, top: number, middle: number): Shape[] {
  const { owners, ownersWithCode } = control
  const shown = owners.slice(0, owners.length > mostRows ? mostRows - 1 : mostRows)
  const shapes = shown.flatMap((owner, place): Shape[] => {
    const y = top + place * rowHeight
    const isContract = ownersWithCode.includes(owner)
    return [
      box(20, y, 168, 20),
      light(32, y + 10, isContract ? lights.declared : ink.axis, isContract),
      textAt(42, y + 14, shortAddress(owner)),
      lineBetween({ x: 188, y: y + 10 }, { x: 246, y: middle }, stroke),
    ]
  })
  const hidden = owners.length - shown.length
  const more = `and ${hidden} more, in the table`
  return hidden === 0
    ? shapes
    : [...shapes, textAt(20, top + shown.length * rowHeight + 14, more, { color: ink.faint })]
}

function safeOf({ control, safeAddress, checks, controlEpoch }: Vault, middle: number): Shape[] {
  const name = singletonNameOf(control.singletonCodeHash)
  const isSound = checks.every(({ code, ok }) => ok || (code !== 'SINGLETON' && code !== 'PROXY'))
  const count = `${control.threshold} of ${control.owners.length}`
  return [
    { kind: 'mark', form: 'circle', x: 266, y: middle, size: 40, color: ink.text, isHollow: true },
    textAt(266, middle + 4, count, { anchor: 'middle', size: 9, isBold: true }),
    lineBetween({ x: 287, y: middle }, { x: 322, y: middle }, { color: ink.text, width: 2 }),
    box(322, middle - 24, 168, 48),
    light(336, middle - 10, isSound ? lights.sound : lights.unknown),
    textAt(346, middle - 6, shortAddress(safeAddress), { isBold: true }),
    textAt(332, middle + 8, fitText(name ?? 'code that is not known', 150, 9), { size: 9 }),
    textAt(332, middle + 19, `control epoch ${controlEpoch}`, { size: 9, color: ink.faint }),
  ]
}

function attachedOf({ attached, declared }: Vault, top: number, middle: number): Shape[] {
  if (attached.length === 0) return [textAt(556, middle + 4, 'nothing', { color: ink.faint })]
  return attached
    .slice(0, mostRows)
    .flatMap(({ role, address, codeHash, name }, place): Shape[] => {
      const y = top + place * rowHeight
      const isDeclared = declared.some(
        (one) => one.address === address && one.codeHash === codeHash,
      )
      const color = name ? lights.sound : isDeclared ? lights.declared : lights.unknown
      const acts = role === 'MODULE'
      return [
        lineBetween(
          { x: 490, y: middle },
          { x: 556, y: y + 10 },
          {
            ...stroke,
            ...(acts ? { color: ink.text, width: 2 } : { dash: [3, 3] }),
          },
        ),
        box(556, y, 190, 20),
        light(568, y + 10, color),
        textAt(578, y + 14, fitText(`${shortAddress(address)} ${words[role]}`, 164, 10)),
      ]
    })
}

/** What the lights say, by colour and in words. */
function legend(y: number): Shape[] {
  const said = [
    [lights.sound, 'published build'],
    [lights.declared, 'declared, or a contract among owners'],
    [lights.unknown, 'nobody knows it'],
  ] as const
  return said.flatMap(([color, text], place) => [
    light(24 + place * 210, y - 3, color),
    textAt(34 + place * 210, y, text, { size: 9, color: ink.faint }),
  ])
}

const words = {
  MODULE: 'module',
  GUARD: 'guard',
  MODULE_GUARD: 'module guard',
  FALLBACK_HANDLER: 'handler',
} as const

function checksOf({ checks, snapshot }: Vault, top: number): Shape[] {
  const read = `checks at block ${snapshot.number}, ${snapshot.timestamp}`
  return [
    textAt(20, top, read, { isBold: true }),
    ...checks.flatMap(({ code, ok, observed }, place): Shape[] => {
      const x = 20 + (place % 2) * 370
      const y = top + 20 + Math.floor(place / 2) * 18
      return [
        {
          ...{ kind: 'mark', form: ok ? 'circle' : 'cross', x: x + 5, y: y - 4, size: 9 },
          color: ok ? lights.sound : lights.unknown,
          isHollow: false,
        },
        textAt(x + 16, y, code, { size: 9, isBold: !ok }),
        textAt(x + 126, y, fitText(observed, 232, 9), { size: 9, color: ink.faint }),
      ]
    }),
  ]
}
