import { contract } from '@liquidity-os/contract'
import { unresolved } from '../../../operate/proposals/api.ts'
import type { CitedFigure } from '../assessed/cited-figures.ts'
import { type Material, sealedAt } from '../assessed/documents.ts'
import type { AssessmentOf } from '../assessed/report-kind.ts'
import { currentEdition, type Edition, reportTexts } from '../edition.ts'
import { callsOf, effectsOf, policyOf, requiresPolicy, seriesOf } from './assess-packet.ts'
import { peopleOf, safeOf, sourcesOf } from './assess-status.ts'
import { changesSince } from './changes-since.ts'
import { ofProposal, ofReview, verdictOf } from './findings.ts'
import { type Reviewed, reviewedOf, reviewRequestOf } from './material.ts'
import { disagreementsOf } from './read-text.ts'

type Report = contract.ProposalReviewReport
type Unanswered = Report['unanswered'][number]

/** The report without its sentences. */
export type Assessment = AssessmentOf<Report>

/** Reviews a proposal by published rules. Pure: equal captures give equal assessments. */
export function assessReview(material: Material, edition: Edition = currentEdition): Assessment {
  const { subject, question, asOf, rules, vault: ref } = reviewRequestOf(material)
  const reviewed = reviewedOf(material, 'now')
  const when = { at: Date.parse(asOf) / 1000, rules }
  const vault = ref ? sealedAt<contract.QualifiedVault>(material, ref) : undefined
  const { payload } = reviewed.proposal.record
  const areas = [
    callsOf(reviewed),
    effectsOf(reviewed, when),
    ...(requiresPolicy(payload) ? [policyOf(reviewed)] : []),
    safeOf(material, reviewed, { vault, when }),
    ...(payload.packets.length > 1 ? [seriesOf(reviewed)] : []),
    sourcesOf(material, reviewed),
    peopleOf(reviewed, when),
  ]
  const disagreements = disagreementsOf(reviewed.proposal)
  const unknown = areas.filter(({ verdict }) => verdict === null).map(({ area }) => area)
  const isAbstained = unknown.includes('CALLS') && unknown.includes('EFFECTS')
  const reasons = unknown.map((area) => `${area}_UNKNOWN`)
  const found = [...areas.flatMap(({ findings }) => findings), ...disagreements]
  return {
    reportVersion: 'proposal-review-report-v1',
    state: isAbstained ? 'ABSTAINED' : reasons.length > 0 ? 'PARTIAL' : 'COMPLETED',
    reasons,
    question,
    proposal: subject.proposal,
    about: aboutOf(reviewed),
    asOf,
    captureHash: material.captureHash as Report['captureHash'],
    verdict: isAbstained ? null : verdictOf(found),
    areas,
    disagreements,
    unanswered: unansweredOf(reviewed),
    since: changesSince(material),
    gaps: [...material.gaps],
    limitations: [...reportTexts[edition].review],
    statement: contract.reviewStatement,
    approvalGranted: false,
  }
}

function aboutOf(reviewed: Reviewed): CitedFigure[] {
  const [cited, citeReview] = [ofProposal(reviewed), ofReview(reviewed)]
  return [
    cited('title', '/payload/title'),
    cited('packetHash', '/payload/packetHash'),
    citeReview('reviewEvidenceHash', '/reviewEvidenceHash'),
    citeReview('phase', '/phase'),
  ]
}

const maxUnanswered = 512

/** Open questions of reviewers and unresolved items of the packet. */
function unansweredOf(reviewed: Reviewed): Unanswered[] {
  const [cited, citeReview] = [ofProposal(reviewed), ofReview(reviewed)]
  const { comments } = reviewed.review.content
  const requested = unresolved('QUESTION', comments)
  const { summary, expectedEffects, sourceStates, action, packets } =
    reviewed.proposal.record.payload
  const title = cited('title', '/payload/title')
  const open = (holds: boolean, code: Unanswered['code'], figure: CitedFigure): Unanswered[] =>
    holds ? [{ code, figures: [figure] }] : []
  const isUnjudged = packets.every(({ policyCheck }) => policyCheck === null)
  return [
    ...comments.flatMap(({ id }, index): Unanswered[] =>
      requested.includes(id)
        ? [
            {
              code: 'QUESTION_OPEN',
              figures: [citeReview('comment', `/comments/${index}/payload/body`)],
            },
          ]
        : [],
    ),
    ...open(summary.trim() === '', 'NO_SUMMARY', title),
    ...open(expectedEffects.length === 0, 'NO_EXPECTED_EFFECTS', title),
    ...open(sourceStates.length === 0, 'NO_SOURCES', title),
    ...open(
      requiresPolicy(reviewed.proposal.record.payload) && isUnjudged,
      'NO_POLICY',
      cited('vaultId', '/payload/vaultId'),
    ),
    ...open(
      requiresPolicy(reviewed.proposal.record.payload) && action.route === undefined,
      'ROUTE_UNSAID',
      cited('actionType', '/payload/action/actionType'),
    ),
  ].slice(0, maxUnanswered)
}
