import type { contract } from '@liquidity-os/contract'
import { type Material, type Sealed, sealedAt } from '../assessed/documents.ts'
import {
  type Area,
  ageOf,
  assessArea,
  type Finding,
  finding,
  flagged,
  ofProposal,
  ofRecord,
  ofReview,
  type When,
} from './findings.ts'
import type { Reviewed } from './material.ts'

type Vault = Sealed<contract.QualifiedVault>

/**
 * Compares current control of the vault with the control that the packet assumed. Includes the
 * Safe's executions of the packet.
 */
export function safeOf(
  material: Material,
  reviewed: Reviewed,
  { vault, when }: { readonly vault: Vault | undefined; readonly when: When },
): Area {
  const receipts = executionsOf(material, reviewed)
  if (!vault) return assessArea('SAFE', [], receipts, false)
  const cited = ofRecord(vault)
  const figures = [
    cited('qualification', '/payload/qualification'),
    cited('controlEpoch', '/payload/controlEpoch'),
    cited('threshold', '/payload/control/threshold'),
    cited('nonce', '/payload/control/nonce'),
    cited('snapshotAt', '/payload/snapshot/timestamp'),
  ]
  const findings = [
    ...vaultFindings(vault, reviewed, when),
    ...nonces(vault, reviewed),
    ...receipts,
  ]
  return assessArea('SAFE', figures, findings)
}

function vaultFindings(vault: Vault, reviewed: Reviewed, when: When): Finding[] {
  const { status, payload } = vault.record
  const cited = ofRecord(vault)
  const made = reviewed.proposal.record.payload
  const epochs = [
    cited('controlEpoch', '/payload/controlEpoch'),
    ofProposal(reviewed)('controlEpochOfPacket', '/payload/controlEpoch'),
  ]
  const isOld = ageOf(payload.snapshot.timestamp, when) > when.rules.snapshotSeconds
  return [
    ...(status === 'RETIRED'
      ? [finding('VAULT_RETIRED', 'CRITICAL', [cited('status', '/status')])]
      : []),
    ...(status === 'PAUSED'
      ? [finding('VAULT_PAUSED', 'ATTENTION', [cited('status', '/status')])]
      : []),
    ...(payload.qualification === 'UNQUALIFIED'
      ? [
          finding('VAULT_UNQUALIFIED', 'CRITICAL', [
            cited('qualification', '/payload/qualification'),
          ]),
        ]
      : []),
    ...(isOld
      ? [
          finding('SNAPSHOT_STALE', 'ATTENTION', [
            cited('snapshotAt', '/payload/snapshot/timestamp'),
          ]),
        ]
      : []),
    ...(payload.controlEpoch === made.controlEpoch
      ? []
      : [finding('CONTROL_MOVED', 'CRITICAL', epochs)]),
  ]
}

/** Used nonces of the Safe that belong to unexecuted packets. */
function nonces(vault: Vault, reviewed: Reviewed): Finding[] {
  const next = BigInt(vault.record.payload.control.nonce)
  return reviewed.proposal.record.payload.packets.flatMap(({ state, hashes }, packet) => {
    if (state !== 'OPEN' || BigInt(hashes.nonce) >= next) return []
    const figures = [
      ofProposal(reviewed)('nonceOfPacket', `/payload/packets/${packet}/hashes/nonce`),
      ofRecord(vault)('nonce', '/payload/control/nonce'),
    ]
    return hashes.isNonceFixed
      ? [finding('NONCE_PASSED', 'CRITICAL', figures)]
      : [finding('NONCE_MOVED', 'INFO', figures)]
  })
}

function executionsOf(material: Material, { proposal }: Reviewed): Finding[] {
  return proposal.record.payload.packets.flatMap(({ safeEvidence }) => {
    const receipt = safeEvidence && sealedAt<contract.ExecutionReceipt>(material, safeEvidence)
    if (!receipt) return []
    const cited = ofRecord(receipt)
    const { verdict, reconciliation } = receipt.record.payload
    const transaction = cited('transactionHash', '/payload/transactionHash')
    return [
      ...(verdict === 'VIOLATING'
        ? [
            finding('EXECUTION_VIOLATING', 'CRITICAL', [
              cited('verdict', '/payload/verdict'),
              transaction,
            ]),
          ]
        : []),
      ...(reconciliation === 'UNEXPECTED_EFFECT'
        ? [
            finding('EXECUTION_UNEXPECTED', 'CRITICAL', [
              cited('reconciliation', '/payload/reconciliation'),
              transaction,
            ]),
          ]
        : []),
    ]
  })
}

/** Sources of the packet. Known only if all named versions are available. */
export function sourcesOf({ gaps }: Material, reviewed: Reviewed): Area {
  const citeReview = ofReview(reviewed)
  const figures = reviewed.review.content.sourceStates.flatMap((_, index) => [
    citeReview('source', `/sourceStates/${index}/source/id`),
    citeReview('state', `/sourceStates/${index}/state`),
  ])
  const findings = flagged(reviewed, ({ code }) => code === 'SOURCE_SUPERSEDED')
  const isWhole = gaps.every(({ code }) => code !== 'SOURCE_UNAVAILABLE')
  return assessArea('SOURCES', figures, findings, isWhole)
}

/** Comments and decisions of reviewers, and the time left for them. */
export function peopleOf(reviewed: Reviewed, when: When): Area {
  const [cited, citeReview] = [ofProposal(reviewed), ofReview(reviewed)]
  const { content } = reviewed.review
  const { approvals, review, phase } = reviewed.proposal.record.payload
  const expiresAt = cited('expiresAt', '/payload/review/expiresAt')
  const remaining = -ageOf(review.expiresAt, when)
  const self = approvals.findIndex((approval) => approval.self)
  const isOpen = phase === 'OPEN' || phase === 'CHANGES_REQUESTED' || phase === 'APPROVED'
  const blockers = content.comments.flatMap(({ id }, index) =>
    content.openBlockers.includes(id)
      ? [citeReview('comment', `/comments/${index}/payload/body`)]
      : [],
  )
  return assessArea(
    'PEOPLE',
    [
      cited('approvalCount', '/payload/approvalCount'),
      cited('required', '/payload/review/required'),
      expiresAt,
    ],
    [
      ...blockers.map((blocker) => finding('BLOCKER_OPEN', 'CRITICAL', [blocker])),
      ...(self >= 0
        ? [finding('SELF_APPROVAL', 'INFO', [cited('userId', `/payload/approvals/${self}/userId`)])]
        : []),
      ...(isOpen && remaining <= when.rules.expiryNoticeSeconds
        ? [finding('EXPIRES_SOON', 'ATTENTION', [expiresAt])]
        : []),
    ],
  )
}
