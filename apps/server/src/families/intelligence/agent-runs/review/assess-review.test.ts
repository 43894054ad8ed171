import type { contract } from '@liquidity-os/contract'
import { describe, expect, it } from 'vitest'
import type { Material } from '../assessed/documents.ts'
import { assessReview } from './assess-review.ts'
import { disagreementsOf } from './read-text.ts'

const asOf = '2026-01-05T12:00:00.000Z'
const ago = (seconds: number) => new Date(Date.parse(asOf) - seconds * 1000).toISOString()
const version = `0x${'a'.repeat(64)}`
const safeAddress = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const payee = '0x000000000000000000000000000000000000dEaD'

const call = (more: object = {}) => ({
  to: payee,
  value: '0',
  data: '0x',
  readBy: 'STANDARD',
  functionName: 'transfer',
  words: 'Transfer 7.',
  arguments: [{ name: 'amount', value: '7' }],
  ...more,
})
const packet = (more: object = {}) => ({
  decodedCalls: [call()],
  policyCheck: { verdict: 'ALLOW', rules: [] },
  state: 'OPEN',
  hashes: { nonce: '4', isNonceFixed: false },
  safeEvidence: null,
  ...more,
})
const proposalOf = (more: object = {}) => ({
  title: 'Pay the auditor',
  summary: 'As agreed.',
  vaultId: 'vault',
  controlEpoch: '2',
  action: { actionType: 'TREASURY_TRANSFER', safeAddress, route: 'PRIVATE' },
  phase: 'OPEN',
  approvals: [],
  approvalCount: 0,
  packets: [packet()],
  expectedEffects: [{}],
  sourceStates: [{}],
  packetHash: version,
  simulation: { state: 'COMPLETE', block: { timestamp: ago(60), number: 9 }, effects: [] },
  review: { required: 2, expiresAt: ago(-10 * 86_400) },
  ...more,
})
const vaultOf = (more: object = {}) => ({
  qualification: 'QUALIFIED',
  controlEpoch: '2',
  snapshot: { timestamp: ago(60) },
  control: { threshold: 2, nonce: '4' },
  ...more,
})
const rules = {
  rulesVersion: 'review-rules-v1',
  simulationSeconds: 3600,
  snapshotSeconds: 3600,
  expiryNoticeSeconds: 86_400,
}

const record = (resourceType: string, payload: object, status = 'ACTIVE', at = version) => ({
  item: {
    evidenceId: `evidence_${resourceType}`,
    source: { kind: 'RECORD', resourceType, id: resourceType, resourceVersion: at },
  },
  content: { id: resourceType, status, resourceVersion: at, payload },
})

const refTo = (id: string) => ({ id, resourceVersion: version })

interface Scene {
  readonly proposal?: object
  readonly vault?: object | null
  readonly vaultStatus?: string
  readonly flags?: readonly object[]
  readonly others?: readonly object[]
  readonly gaps?: readonly object[]
}

function looked(scene: Scene = {}) {
  const { proposal, vault = {}, vaultStatus, flags = [], others = [], gaps = [] } = scene
  const ref = refTo('ProposalWorkspace')
  const content = { flags, sourceStates: [], comments: [], decisions: [], openBlockers: [] }
  return assessReview({
    captureHash: version,
    gaps,
    documents: [
      {
        item: { evidenceId: 'evidence_0', source: { kind: 'REQUEST' } },
        content: {
          subject: { proposal: ref },
          question: null,
          asOf,
          rules,
          before: null,
          vault: vault && refTo('QualifiedVault'),
        },
      },
      {
        item: {
          evidenceId: 'evidence_review',
          source: { kind: 'REVIEW', member: 'now', ...ref },
        },
        content: { ...content, phase: 'OPEN' },
      },
      record('ProposalWorkspace', proposalOf(proposal), 'VALIDATED'),
      ...(vault ? [record('QualifiedVault', vaultOf(vault), vaultStatus)] : []),
      ...others,
    ],
  } as unknown as Material)
}

const found = (scene: Scene, name: string) =>
  looked(scene)
    .areas.find(({ area }) => area === name)
    ?.findings.map(({ code, severity }) => `${code} ${severity}`)

describe('a proposal', () => {
  it('says that no rule found anything, and that this is no approval', () => {
    const report = looked()
    expect([report.state, report.verdict, report.approvalGranted]).toEqual([
      ...['COMPLETED', 'NOTHING_FOUND', false],
    ])
    expect([report.disagreements, report.unanswered, report.since]).toEqual([[], [], null])
  })

  it('that a rule denies is critical, and one that no policy judges is not known', () => {
    const assessed = (rules: object[] | null) => ({
      proposal: { packets: [packet({ policyCheck: rules && { verdict: 'DENY', rules } })] },
    })
    const denied = assessed([
      { outcome: 'ALLOW' },
      { outcome: 'DENY', name: 'cap', observed: '8', limit: '7' },
      { outcome: 'INDETERMINATE', name: 'price' },
    ])
    expect(found(denied, 'POLICY')).toEqual([
      'RULE_DENIED CRITICAL',
      'RULE_INDETERMINATE ATTENTION',
    ])
    expect([looked(denied).verdict, looked(assessed(null)).reasons]).toEqual([
      ...['CRITICAL', ['POLICY_UNKNOWN']],
    ])
    // Who controls the Safe is judged by no policy.
    const action = { actionType: 'OWNER_CHANGE', safeAddress }
    const control = { proposal: { action, packets: [packet({ policyCheck: null })] } }
    expect([found(control, 'POLICY'), looked(control).state]).toEqual([undefined, 'COMPLETED'])
  })

  it('abstains where neither calls nor effects are known, and is partial where one of them is not', () => {
    const unread = [packet({ decodedCalls: [call({ readBy: null })] })]
    const unsimulated = { state: 'UNAVAILABLE', block: { timestamp: ago(60) }, effects: null }
    const of = (proposal: object) => [looked({ proposal }).state, looked({ proposal }).verdict]
    expect(of({ packets: unread, simulation: unsimulated })).toEqual(['ABSTAINED', null])
    expect(of({ simulation: unsimulated })).toEqual(['PARTIAL', 'NOTHING_FOUND'])
    expect(of({ packets: unread })).toEqual(['PARTIAL', 'NOTHING_FOUND'])
  })

  it('is compared with the current vault and with its executed packets', () => {
    const safe = (vault: object, scene: Scene = {}) => found({ ...scene, vault }, 'SAFE')
    expect(safe({ controlEpoch: '3' })).toEqual(['CONTROL_MOVED CRITICAL'])
    expect(safe({ qualification: 'UNQUALIFIED' })).toEqual(['VAULT_UNQUALIFIED CRITICAL'])
    expect(safe({}, { vaultStatus: 'RETIRED' })).toEqual(['VAULT_RETIRED CRITICAL'])
    expect([
      safe({ snapshot: { timestamp: ago(3600) } }),
      safe({ snapshot: { timestamp: ago(3601) } }),
    ]).toEqual([[], ['SNAPSHOT_STALE ATTENTION']])
    const fixed = { packets: [packet({ hashes: { nonce: '4', isNonceFixed: true } })] }
    const later = { control: { threshold: 2, nonce: '5' } }
    expect(safe(later)).toEqual(['NONCE_MOVED INFO'])
    expect(safe(later, { proposal: fixed })).toEqual(['NONCE_PASSED CRITICAL'])
    const receipt = record('ExecutionReceipt', {
      verdict: 'VIOLATING',
      reconciliation: 'UNEXPECTED_EFFECT',
      transactionHash: version,
    })
    // A receipt that the packet only names is none of its own, and a version of the vault before is not the vault.
    const before = record('QualifiedVault', vaultOf({ controlEpoch: '1' }), 'RETIRED', payee)
    expect(safe({}, { others: [receipt, before] })).toEqual([])
    const executed = packet({ state: 'EXECUTED', safeEvidence: refTo('ExecutionReceipt') })
    expect(safe({}, { others: [receipt], proposal: { packets: [executed] } })).toEqual([
      ...['EXECUTION_VIOLATING CRITICAL', 'EXECUTION_UNEXPECTED CRITICAL'],
    ])
    expect(looked({ vault: null }).reasons).toEqual(['SAFE_UNKNOWN'])
  })

  it('of several packets reports its progress', () => {
    const series = (...states: string[]) => ({
      proposal: {
        packets: states.map((state, index) =>
          packet({ state, hashes: { nonce: `${4 + index}`, isNonceFixed: false } }),
        ),
      },
    })
    expect(found(series('OPEN', 'OPEN'), 'SERIES')).toEqual([])
    expect(found(series('EXECUTED', 'OPEN'), 'SERIES')).toEqual(['SERIES_STARTED INFO'])
    expect(found(series('EXECUTED', 'REVOKED'), 'SERIES')).toEqual(['SERIES_REVOKED ATTENTION'])
    const apart = { proposal: { packets: [packet(), packet()] } }
    expect(found(apart, 'SERIES')).toEqual(['NONCES_APART ATTENTION'])
  })

  it('is stale one hour after its simulation, and announced the day before it expires', () => {
    const simulated = (seconds: number) =>
      found(
        {
          proposal: {
            simulation: { state: 'COMPLETE', block: { timestamp: ago(seconds) }, effects: [] },
          },
        },
        'EFFECTS',
      )
    expect([simulated(3600), simulated(3601)]).toEqual([[], ['SIMULATION_STALE ATTENTION']])
    const ends = (seconds: number) =>
      found({ proposal: { review: { required: 2, expiresAt: ago(-seconds) } } }, 'PEOPLE')
    expect([ends(86_401), ends(86_400)]).toEqual([[], ['EXPIRES_SOON ATTENTION']])
  })

  it('is reviewed only with its sealed bytes', () => {
    const source = { kind: 'REQUEST' }
    const item = { evidenceId: 'evidence_0', source }
    const content = { rules: { rulesVersion: 'review-rules-v9' } }
    const material = { captureHash: version, gaps: [], documents: [{ item, content }] }
    expect(() => assessReview(material as unknown as Material)).toThrow(
      'Unknown rules version: review-rules-v9',
    )
  })
})

describe('the text of a proposal', () => {
  const apart = (text: { title?: string; summary?: string }, calls: object[] = [call()]) =>
    disagreementsOf({
      evidenceId: 'evidence_1',
      record: { payload: proposalOf({ ...text, packets: [packet({ decodedCalls: calls })] }) },
    } as unknown as Parameters<typeof disagreementsOf>[0]).map(
      ({ code, severity }: contract.ProposalReviewReport['disagreements'][number]) =>
        `${code} ${severity}`,
    )

  it('has a word for each way in which its calls act, and calls for each of its words', () => {
    expect(apart({ title: 'Do it', summary: '' })).toEqual(['ACTION_UNSAID ATTENTION'])
    expect(apart({ title: 'Pay, and swap the rest' })).toEqual(['ACTION_NOT_MADE ATTENTION'])
    const approve = call({ functionName: 'approve' })
    const swap = call({ functionName: 'exactInputSingle' })
    // An allowance is part of the swap that takes it, and alone it is none.
    expect(apart({ title: 'Swap it', summary: '' }, [approve, swap])).toEqual([
      'ACTION_UNSAID INFO',
    ])
    expect(apart({ title: 'Do it', summary: '' }, [approve])).toEqual(['ACTION_UNSAID ATTENTION'])
    expect(apart({ title: 'Swap it' }, [call({ readBy: null, functionName: null })])).toEqual([])
  })

  it('names addresses and amounts that its calls have', () => {
    expect(apart({ summary: `To ${payee} from ${safeAddress}` })).toEqual([])
    expect(apart({ summary: `To 0x${'1'.repeat(40)}` })).toEqual(['ADDRESS_NOT_CALLED ATTENTION'])
    const pays = (value: string) => [call({ arguments: [{ name: 'amount', value }] })]
    const usdc = { summary: 'It is 5,000.25 USDC, due in 30 days' }
    expect(apart(usdc, pays('5000250000'))).toEqual([])
    expect(apart(usdc, pays('5000250001'))).toEqual(['AMOUNT_NOT_CALLED ATTENTION'])
    expect(apart({ summary: 'It is 1 WETH' }, pays('1000000000000000000'))).toEqual([])
  })

  it('hides nothing', () => {
    expect(apart({ summary: 'In two\nlines' })).toEqual([])
    for (const character of ['\u200b', '\u202e', '\u2066', '\u00ad', '\u0007']) {
      expect(apart({ summary: `As${character} agreed` })).toEqual(['TEXT_HIDES ATTENTION'])
    }
  })
})
