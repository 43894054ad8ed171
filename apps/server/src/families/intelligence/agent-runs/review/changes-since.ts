import type { contract, SourceRef } from '@liquidity-os/contract'
import { type CitedFigure, citedIn } from '../assessed/cited-figures.ts'
import { type Material, sealedAt } from '../assessed/documents.ts'
import { type Reviewed, reviewedOf, reviewRequestOf } from './material.ts'

type Since = NonNullable<contract.ProposalReviewReport['since']>
type Change = Since['changes'][number]
type Code = Change['code']

const maxChanges = 512

/** Changes since the previous review; null for the first review. */
export function changesSince(material: Material): Since | null {
  const ref = reviewRequestOf(material).before
  if (ref === null) return null
  const resultHash = sealedAt<contract.AgentRun>(material, ref)?.record.payload.resultHash
  if (!resultHash) throw new Error(`The result of the run ${ref.id} is not sealed.`)
  const [before, now] = [reviewedOf(material, 'before'), reviewedOf(material, 'now')]
  return {
    run: ref,
    resultHash,
    changes: [
      ...ofRecord(before, now),
      ...ofPackets(before, now),
      ...ofEvents(before, now),
      ...ofFlags(before, now),
      ...ofSources(before, now),
    ].slice(0, maxChanges),
  }
}

const ofProposal = ({ proposal }: Reviewed, name: string, pointer: string): CitedFigure =>
  citedIn(proposal.evidenceId, proposal.record, name, pointer)

const ofReview = ({ review }: Reviewed, name: string, pointer: string): CitedFigure =>
  citedIn(review.evidenceId, review.content, name, pointer)

/** Both figures if they differ. */
const moved = (code: Code, before: CitedFigure, after: CitedFigure): Change[] =>
  before.value === after.value ? [] : [{ code, before, after }]

function ofRecord(before: Reviewed, now: Reviewed): Change[] {
  const of = (code: Code, name: string, pointer: string) =>
    moved(code, ofProposal(before, name, pointer), ofProposal(now, name, pointer))
  return [
    ...of('PACKET', 'packetHash', '/payload/packetHash'),
    ...moved('PHASE', ofReview(before, 'phase', '/phase'), ofReview(now, 'phase', '/phase')),
    ...of('APPROVALS', 'approvalCount', '/payload/approvalCount'),
    ...of('SIMULATION', 'simulationHash', '/payload/simulation/simulationHash'),
  ]
}

/**
 * Versions of one proposal have equal packets. A replacement is compared by the packets present in
 * both.
 */
function ofPackets(before: Reviewed, now: Reviewed): Change[] {
  const then = before.proposal.record.payload.packets.length
  return now.proposal.record.payload.packets.slice(0, then).flatMap((_, index) => {
    const at = `/payload/packets/${index}`
    const of = (code: Code, name: string, pointer: string) =>
      moved(code, ofProposal(before, name, pointer), ofProposal(now, name, pointer))
    return [
      ...of('EXECUTION', 'state', `${at}/state`),
      ...of('POLICY_VERDICT', 'verdict', `${at}/policyCheck/verdict`),
    ]
  })
}

/** Events are only added, so each new event is one change. */
function ofEvents(before: Reviewed, now: Reviewed): Change[] {
  const came = (member: 'comments' | 'decisions', code: Code, shown: string): Change[] => {
    const known = new Set(before.review.content[member].map(({ id }) => id))
    return now.review.content[member].flatMap(({ id }, index) =>
      known.has(id)
        ? []
        : [
            {
              code,
              before: null,
              after: ofReview(now, shown, `/${member}/${index}/payload/${shown}`),
            },
          ],
    )
  }
  return [...came('comments', 'COMMENT', 'kind'), ...came('decisions', 'DECISION', 'decision')]
}

function ofFlags(before: Reviewed, now: Reviewed): Change[] {
  const keysOf = ({ review }: Reviewed) => review.content.flags.map((flag) => JSON.stringify(flag))
  const [then, today] = [keysOf(before), keysOf(now)]
  const citeFlag = (reviewed: Reviewed, index: number) =>
    ofReview(reviewed, 'flag', `/flags/${index}/code`)
  return [
    ...today.flatMap((key, index): Change[] =>
      then.includes(key)
        ? []
        : [{ code: 'FLAG_RAISED', before: null, after: citeFlag(now, index) }],
    ),
    ...then.flatMap((key, index): Change[] =>
      today.includes(key)
        ? []
        : [{ code: 'FLAG_CLEARED', before: citeFlag(before, index), after: null }],
    ),
  ]
}

/** Sources that both have in the same version. */
function ofSources(before: Reviewed, now: Reviewed): Change[] {
  const then = before.review.content.sourceStates
  return now.review.content.sourceStates.flatMap(({ source }, index) => {
    const earlier = then.findIndex((one) => isSameSource(one.source, source))
    if (earlier < 0) return []
    const at = (number: number) => `/sourceStates/${number}/state`
    const [was, is] = [ofReview(before, 'state', at(earlier)), ofReview(now, 'state', at(index))]
    return moved('SOURCE', was, is)
  })
}

const isSameSource = (one: SourceRef, other: SourceRef) =>
  one.id === other.id && one.resourceVersion === other.resourceVersion
