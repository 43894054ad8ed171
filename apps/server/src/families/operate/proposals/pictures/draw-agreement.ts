import type { contract } from '@liquidity-os/contract'
import {
  type Drawing,
  drawing,
  fitText,
  ink,
  isNarrow,
  letterOn,
  noteOn,
  type Paper,
  type Point,
  type Shape,
  textAt,
  widthOf,
} from '@liquidity-os/drawing'
import { lights } from './drawn.ts'

type Payload = contract.ProposalWorkspace

const radius = 68
/** Packets with drawn hashes; the table has all. */
const maxPackets = 4

const packetHeight = 74
/** The ring by its center; lights and hashes by their start. */
const wideLayout = {
  ring: { x: 110, y: 104 },
  lights: { x: 226, y: 70, step: 34 },
  hashes: { x: 386, y: 22 },
} as const
const below = ({ width }: Paper) => ({
  ring: { x: width / 2, y: 104 },
  lights: { x: 16, y: 212, step: 20 },
  hashes: { x: 12, y: 288 },
})

/** Approvals against the quorum, and the hashes for signers to compare, in hashing order. */
export function drawAgreement(payload: Payload, paper: Paper): Drawing {
  const { approvals, approvalCount, review, packets, phase, flags } = payload
  const shown = packets.slice(0, maxPackets)
  const places = isNarrow(paper) ? below(paper) : wideLayout
  const { hashes } = places
  const end = Math.max(204, hashes.y + 8 + shown.length * packetHeight)
  const panel = hashPanel(shown, hashes, paper)
  const words = 'full hashes are in the table; compare them with your wallet'
  const note = noteOn(paper, { x: hashes.x, y: end + 24 }, words, { size: 9, color: ink.faint })
  return drawing(
    {
      id: 'proposal-agreement',
      title: `${approvalCount} of ${review.required} approvals: ${phase.toLowerCase().replaceAll('_', ' ')}`,
      description: `${approvals.map(({ userId, at, self }) => `${userId} at ${at}${self ? ' (preparer)' : ''}`).join('; ') || 'No approvals yet'}. Expires ${review.expiresAt}. ${flags.length} flags. Approvals here record agreement. Only owner signatures on chain give authority.`,
    },
    {
      columns: ['packet', 'nonce', 'domain hash', 'message hash', 'Safe transaction hash', 'state'],
      rows: packets.map(({ packetIndex, hashes, state }) => [
        ...[packetIndex, `${hashes.nonce}${hashes.isNonceFixed ? '' : ' (next)'}`],
        ...[hashes.domainHash, hashes.messageHash, hashes.safeTxHash, state],
      ]),
    },
    {
      height: end + 34 + note.more,
      shapes: [
        ...ring(payload, places.ring),
        ...flagLights(payload, places.lights, paper),
        ...[...panel, ...note.shapes],
      ],
    },
    paper,
  )
}

/** One slot on a circle per required approval, filled by valid approvals. */
function ring({ approvals, approvalCount, review }: Payload, center: Point): Shape[] {
  const counted = approvals.filter(({ self }) => !self || review.required === 1)
  const shapes: Shape[] = Array.from({ length: review.required }, (_, index): Shape[] => {
    const angle = (2 * Math.PI * index) / review.required - Math.PI / 2
    // A single slot is close to its label.
    const reach = review.required === 1 ? 36 : radius
    const x = center.x + reach * Math.cos(angle)
    const y = center.y + reach * Math.sin(angle)
    const approval = counted[index]
    const name = approval ? approval.userId.slice(-4) : ''
    return [
      {
        kind: 'mark',
        form: 'circle',
        x,
        y,
        size: review.required > 8 ? 22 : 34,
        color: approval ? lights.sound : ink.axis,
        isHollow: !approval,
      },
      textAt(x, y + 3, name, { size: 8, anchor: 'middle', color: ink.paper, isBold: true }),
    ]
  }).flat()
  return [
    ...shapes,
    textAt(center.x, center.y + 6, `${approvalCount} of ${review.required}`, {
      size: 16,
      anchor: 'middle',
      isBold: true,
    }),
  ]
}

function flagLights(
  { flags, simulation, sourceStates }: Payload,
  { x, y, step }: Point & { step: number },
  paper: Paper,
): Shape[] {
  const blocks = flags.filter(({ severity }) => severity === 'BLOCK').length
  const moved = sourceStates.filter(({ state }) => state === 'SUPERSEDED').length
  const label = [
    [blocks === 0, blocks === 0 ? 'no blocking flags' : `${blocks} blocking flags`],
    [simulation.state === 'COMPLETE', `simulation ${simulation.state.toLowerCase()}`],
    [moved === 0, moved === 0 ? 'sources current' : `${moved} sources changed`],
  ] as const
  return label.flatMap(([isSound, words], index): Shape[] => [
    {
      kind: 'mark',
      form: isSound ? 'circle' : 'diamond',
      x,
      y: y + index * step,
      size: 9,
      color: isSound ? lights.sound : lights.wrong,
      isHollow: false,
    },
    textAt(x + 10, y + 4 + index * step, fitText(words, 130, letterOn(paper, 10))),
  ])
}

function hashPanel(packets: Payload['packets'], { x, y: top }: Point, paper: Paper): Shape[] {
  const availableWidth = paper.width - x
  const indent = paper.minFontSize === 0 ? 50 : 58
  return packets.flatMap(({ packetIndex, hashes, state }, index): Shape[] => {
    const y = top + index * packetHeight
    const nonce = `nonce ${hashes.nonce}${hashes.isNonceFixed ? '' : ', next'}`
    const head = `packet ${packetIndex}, ${nonce}, ${state.toLowerCase()}`
    const rows = [
      ['domain', hashes.domainHash],
      ['message', hashes.messageHash],
      ['to sign', hashes.safeTxHash],
    ] as const
    return [
      textAt(x, y, fitText(head, availableWidth - 6, letterOn(paper, 10), true), { isBold: true }),
      ...rows.flatMap(([name, hash], line): Shape[] => [
        textAt(x, y + 17 + line * 15, name, { size: 9, color: ink.faint }),
        textAt(
          x + indent,
          y + 17 + line * 15,
          endsOf(hash, availableWidth - indent - 6, letterOn(paper, 9)),
          {
            size: 9,
            isBold: name === 'to sign',
          },
        ),
      ]),
    ]
  })
}

/** Shortens a hash to both ends that fit in a line. */
function endsOf(hash: string, availableWidth: number, letter: number): string {
  const digits = Math.floor(availableWidth / widthOf('0', letter, true)) - 2
  const [first, last] = digits < 44 ? [Math.ceil(digits / 2), digits >> 1] : [26, 18]
  return `${hash.slice(0, first)}…${hash.slice(-last)}`
}
