import type { contract } from '@liquidity-os/contract'
import { type Drawing, drawing, fitText, ink, type Shape, textAt } from '@liquidity-os/drawing'
import { lights } from './drawn.ts'

type Payload = contract.ProposalWorkspace

const center = { x: 110, y: 104 }
const radius = 68
/** Packets whose hashes are drawn; the table has all. */
const mostPackets = 4

/** Who has agreed out of how many, and what a signer compares, in the order in which it is hashed. */
export function drawAgreement(payload: Payload): Drawing {
  const { approvals, approvalCount, review, packets, phase, flags } = payload
  const shown = packets.slice(0, mostPackets)
  const height = Math.max(204, 30 + shown.length * 74) + 34
  return drawing(
    {
      id: 'proposal-agreement',
      title: `${approvalCount} of ${review.required} have approved: ${phase.toLowerCase().replaceAll('_', ' ')}`,
      description: `${approvals.map(({ userId, at, self }) => `${userId} at ${at}${self ? ', who prepared it' : ''}`).join('; ') || 'Nobody has approved'}. Ends ${review.expiresAt}. ${flags.length} flags. Approval here is agreement; only signatures of the owners on chain are authority.`,
    },
    {
      columns: ['packet', 'nonce', 'domain hash', 'message hash', 'Safe transaction hash', 'state'],
      rows: packets.map(({ packetIndex, hashes, state }) => [
        ...[packetIndex, `${hashes.nonce}${hashes.isNonceFixed ? '' : ' (next)'}`],
        ...[hashes.domainHash, hashes.messageHash, hashes.safeTxHash, state],
      ]),
    },
    { height, shapes: [...ring(payload), ...flagLights(payload), ...hashPanel(shown, height)] },
  )
}

/** A place on a circle for each approval that is needed, filled by those that count. */
function ring({ approvals, approvalCount, review }: Payload): Shape[] {
  const counted = approvals.filter(({ self }) => !self || review.required === 1)
  const shapes: Shape[] = Array.from({ length: review.required }, (_, place): Shape[] => {
    const angle = (2 * Math.PI * place) / review.required - Math.PI / 2
    // One place alone stands near to its words.
    const reach = review.required === 1 ? 36 : radius
    const x = center.x + reach * Math.cos(angle)
    const y = center.y + reach * Math.sin(angle)
    const approval = counted[place]
    const name = approval ? approval.userId.slice(-4) : ''
    return [
      {
        ...{ kind: 'mark', form: 'circle', x, y, size: review.required > 8 ? 22 : 34 },
        ...{ color: approval ? lights.sound : ink.axis, isHollow: !approval },
      },
      textAt(x, y + 3, name, { size: 8, anchor: 'middle', color: ink.paper, isBold: true }),
    ]
  }).flat()
  return [
    ...shapes,
    textAt(center.x, center.y + 6, `${approvalCount} of ${review.required}`, {
      ...{ size: 16, anchor: 'middle', isBold: true },
    }),
  ]
}

function flagLights({ flags, simulation, sourceStates }: Payload): Shape[] {
  const blocks = flags.filter(({ severity }) => severity === 'BLOCK').length
  const moved = sourceStates.filter(({ state }) => state === 'SUPERSEDED').length
  const said = [
    [blocks === 0, blocks === 0 ? 'nothing blocks it' : `${blocks} flags block it`],
    [simulation.state === 'COMPLETE', `simulation ${simulation.state.toLowerCase()}`],
    [moved === 0, moved === 0 ? 'sources current' : `${moved} sources have moved on`],
  ] as const
  return said.flatMap(([isSound, words], place): Shape[] => [
    {
      ...{ kind: 'mark', form: isSound ? 'circle' : 'diamond', x: 226, y: 70 + place * 34 },
      ...{ size: 9, color: isSound ? lights.sound : lights.wrong, isHollow: false },
    },
    textAt(236, 74 + place * 34, fitText(words, 130, 10)),
  ])
}

function hashPanel(packets: Payload['packets'], height: number): Shape[] {
  const shapes = packets.flatMap(({ packetIndex, hashes, state }, place): Shape[] => {
    const y = 22 + place * 74
    const nonce = `nonce ${hashes.nonce}${hashes.isNonceFixed ? '' : ', the next one'}`
    const rows = [
      ['domain', hashes.domainHash],
      ['message', hashes.messageHash],
      ['to sign', hashes.safeTxHash],
    ] as const
    return [
      textAt(386, y, `packet ${packetIndex}, ${nonce}, ${state.toLowerCase()}`, { isBold: true }),
      ...rows.flatMap(([name, hash], line): Shape[] => [
        textAt(386, y + 17 + line * 15, name, { size: 9, color: ink.faint }),
        textAt(436, y + 17 + line * 15, `${hash.slice(0, 26)}…${hash.slice(-18)}`, {
          ...{ size: 9, isBold: name === 'to sign' },
        }),
      ]),
    ]
  })
  const words = 'whole hashes are in the table; compare them with what your wallet shows'
  return [...shapes, textAt(386, height - 10, words, { size: 9, color: ink.faint })]
}
