import { contract, responseExamples } from '@liquidity-os/contract'
import { drawnAssumptions } from '../../../../docs/pictures/draw-assumptions.ts'
import { drawnProgram, drawnVenue } from '../../../../docs/pictures/draw-market.ts'
import type { Evaluation } from '../families/operate/market-maker-mandates/evaluate-windows.ts'
import { termsOf } from '../families/operate/market-maker-mandates/mandate-terms.ts'
import { drawnPlan } from '../families/operate/protected-execution/testing/drawn-plans.ts'

/** What an operation answers in the file of examples. */
const answerOf = <Answer>(operation: string) =>
  (responseExamples[operation] as { data: Answer }).data
const recordOf = <Payload>(operation: string) =>
  answerOf<{ status: string; payload: Payload }>(operation)
const payloadOf = <Payload>(operation: string) => recordOf<Payload>(operation).payload

const hash = (itemIndex: number) => `0x${(itemIndex + 17).toString(16).padStart(4, '0').repeat(16)}`
const asOf = '2026-01-05T12:00:00.000Z'
const many = <T>(count: number, of: (place: number) => T) =>
  Array.from({ length: count }, (_, index) => of(index))

function mandates(): object[] {
  const mandate = payloadOf<contract.MarketMakerMandate>('getMarketMakerMandates')
  const terms = termsOf(mandate)
  const month = { from: terms.period.from, to: terms.period.from + 31 * 86_400 }
  const verdicts = ['MET', 'BREACHED', 'INDETERMINATE'] as const
  const evaluations = terms.kpis.flatMap(({ kpiId, comparator, threshold }) =>
    verdicts.map((verdict, index) => ({
      kpiId,
      comparator,
      threshold: `${threshold}`,
      verdict,
      coveragePips: 912_345,
      window: { from: asOf, to: asOf, isRunning: index === 2 },
      pessimistic: index === 2 ? null : `${threshold * BigInt(index + 1)}`,
      optimistic: index === 2 ? null : `${threshold * BigInt(index + 2)}`,
    })),
  ) as unknown as Evaluation[]
  const lent = 10n ** 24n
  const loan = many(12, (place) => ({
    at: month.from + place * 200_000,
    lent,
    onChain: lent - BigInt(place) * 10n ** 22n,
    attested: 10n ** 22n,
  }))
  const drawn = {
    ...mandate,
    status: 'ACTIVE',
    terms,
    month,
    recent: month,
    asOf: month.from + 9e5,
    days: [],
  }
  const [kpi] = terms.kpis
  const uptime = { ...kpi, metric: 'UPTIME_PIPS', threshold: 900_000n }
  const lending = { ...kpi, metric: 'LOAN_COVERAGE_PIPS', threshold: 1_000_000n }
  const named = { kpiId: 'k'.repeat(64), venueKey: 'v'.repeat(64), threshold: 10n ** 30n }
  const depth = { ...kpi, ...named, metric: 'DEPTH_QUOTE_ATOMS' }
  const deep = evaluations.map((one) => ({ ...one, ...named, threshold: `${named.threshold}` }))
  return [
    { ...drawn, evaluations, loan },
    { ...drawn, terms: { ...terms, kpis: [depth] }, evaluations: deep, loan: [] },
    { ...drawn, terms: { ...terms, kpis: [uptime, lending] }, evaluations: [], loan },
    { ...drawn, terms: { ...terms, kpis: [lending] }, evaluations: [], loan: [] },
  ]
}

function reconciliations(): object[] {
  const payload = payloadOf<contract.TreasuryLedgerReconciliation>('getTreasuryReconciliation')
  const [line] = payload.lines
  const lines = many(30, (index) => ({
    ...line!,
    container: `eip155:1:0x${`${index >> 2}`.padStart(40, '0')}`,
    ageDays: index * 5,
    ledger: `${10n ** BigInt(index * 2)}`,
    chain: `${10n ** 60n}`,
  }))
  return [payload, { ...payload, lines }, { ...payload, lines: [] }]
}

function agentRuns(): object[] {
  const run = payloadOf<{ report: contract.ResearchReport; trials: object[] }>('getAgentRun')
  const { report } = run
  const [one] = report.alternatives
  const failed = {
    ...one!,
    trialKey: 'alternative-2',
    label: 'A trial that broke off',
    verdict: 'FAILED',
    reason: 'The work was cancelled by an operator.',
    difference: null,
    guardrails: [],
  }
  const trial = {
    trialKey: 'alternative-2',
    label: failed.label,
    state: 'FAILED',
    attempts: 2,
    reason: failed.reason,
  }
  const whole = { ...run, trials: [...run.trials, trial] }
  const more = { ...report, alternatives: [...report.alternatives, failed] }
  const figure = { name: 'observed', value: '0x12'.repeat(40) }
  const findings = many(8, () => ({ code: 'CHECK_FAILED', severity: 'INFO', figures: [figure] }))
  const areas = ['QUALITY', 'CONTROL', 'TREASURY'].map((area, index) => ({
    area,
    verdict: [null, 'ATTENTION', 'SOUND'][index],
    findings: findings.slice(index * 2),
  }))
  const review = {
    reportVersion: 'proposal-review-report-v1',
    state: 'PARTIAL',
    asOf,
    areas,
    verdict: 'ATTENTION',
    disagreements: findings,
    unanswered: [],
    since: null,
    statement: contract.reviewStatement,
  }
  const seen = { withheld: null, quoteDecimals: 18 }
  const large = { ...one!.difference!, low: `-${'9'.repeat(38)}`, mean: '9'.repeat(38) }
  const long = {
    ...one!,
    label: 'L'.repeat(120),
    verdict: 'INDISTINGUISHABLE' as const,
    difference: { ...large, high: large.mean },
  }
  const citations = [{ pointer: '/alternatives/0/difference/mean', value: large.mean }]
  const sentences = many(20, () => ({ text: 'Something is said. '.repeat(12), citations }))
  const extended = {
    ...report,
    alternatives: [long, failed],
    narrative: { ...report.narrative, sentences },
  }
  const unrun = { ...trial, label: long.label, trialKey: 'k'.repeat(64), state: 'INCOMPATIBLE' }
  const parts = {
    id: 'pools',
    findings: [{ code: 'POOL', figures: [{ ...figure, unit: 'ATOMS' }] }],
  }
  const observations = [1, 2].map((version) => ({ version, blocks: [{ number: version }] }))
  const project = {
    reportVersion: 'public-project-report-v1',
    state: 'PARTIAL',
    assetKey: 'eip155:1/erc20:0x1',
    observations,
    conclusions: [{ versions: [1, 2], sections: [parts] }],
    changes: [
      { pointer: '/pools/0/reserveBase', kind: 'CHANGED', before: large.mean, after: null },
    ],
    statement: contract.sampleStatements.two,
  }
  return [
    { run, report, ...seen },
    { run: whole, report: more, ...seen, quoteDecimals: null },
    { run: whole, report: { ...more, state: 'ABSTAINED', reasons: ['NO_PATH'] }, ...seen },
    {
      run: { ...run, report: extended, trials: [unrun] },
      report: extended,
      ...seen,
      quoteDecimals: null,
    },
    { run: { ...run, report: null, protocolHash: null }, report: null, ...seen },
    { run: { kind: 'PUBLIC_PROJECT' }, report: project, ...seen },
    { run: { kind: 'PROPOSAL_REVIEW' }, report: review, ...seen },
    { run: { kind: 'HEALTH' }, report: null, ...seen, withheld: 'ROLE' },
  ]
}

function projects(): object[] {
  type Reading = Pick<contract.ProjectObservation, 'analysis' | 'version' | 'changes'>
  const first = payloadOf<Reading>('getSavedProjectObservation')
  const pool = first.analysis.pools[0]!.address
  const changes = ['heldQuote', 'midX36', 'heldBase'].map((name, index) => ({
    pointer: `/pools/${pool}/${name}`,
    kind: 'CHANGED',
    deltaPips: '123456',
    before: '1000000000000000000',
    after: '2000000000000000000',
    material: index === 0,
  }))
  const display = { ...first.analysis.display, asOf: '2026-03-02T10:00:00.000Z' }
  const second = { ...first, version: 2, changes, analysis: { ...first.analysis, display } }
  return [
    { label: 'ENS', readings: [first, second] },
    { label: 'ENS', readings: [first] },
    { label: 'ENS', readings: [] },
  ]
}

function workflows(): object[] {
  const run = payloadOf<contract.WorkflowRun>('getCompletedWorkflowRun')
  const { analysis } = payloadOf<contract.ProjectObservation>('getSavedProjectObservation')
  return [
    { run, analyses: [analysis] },
    { run, analyses: [null] },
    { run: { ...run, sections: [], state: 'ABSTAINED', reasons: ['NO_POOL'] }, analyses: [] },
  ]
}

function partners(): object[] {
  const consent = payloadOf<contract.PartnerConsent>('getPartnerConsents')
  const partner = payloadOf<contract.PartnerTenant>('getPartners')
  const domain = payloadOf<contract.PartnerDomainChallenge>('getPartnerDomainChallenge')
  const [check] = domain.observations
  const answers = (['PROVEN', 'OTHER_VALUE', 'WILDCARD', 'SILENT'] as const).map(
    (outcome, index) => ({
      ...check!.answers[0]!,
      outcome,
      server: `a-name-server-with-a-long-name-${index}.of-a-partner.example`,
    }),
  )
  return [
    { status: 'ACTIVE', consent },
    { status: 'DRAFT', consent },
    { status: 'ACTIVE', partner },
    { status: 'ACTIVE', domain: { ...domain, observations: [{ ...check!, answers }, check!] } },
    { status: 'DRAFT', domain: { ...domain, observations: [] } },
  ]
}

function proposals(): object[] {
  const proposal = payloadOf<contract.ProposalWorkspace>('getProposals')
  const comparison = payloadOf<contract.ProposalComparison>('compareProposals')
  const [approval] = proposal.approvals
  const approvals = approval ? many(7, () => approval) : []
  const effects = [
    { asset: hash(1).slice(0, 42), delta: `-${10n ** 30n}`, expected: null, isWithin: false },
    { asset: hash(2).slice(0, 42), delta: '7', expected: null, isWithin: null },
  ]
  const simulation = { ...proposal.simulation, effects }
  const review = { ...proposal.review, required: 12 }
  return [
    { proposal },
    { proposal: { ...proposal, approvals, review, simulation } },
    { proposal: { ...proposal, simulation: { ...simulation, effects: null } } },
    { comparison },
  ]
}

function vaults(): object[] {
  const vault = payloadOf<contract.QualifiedVault>('getQualifiedVaultV2')
  const receipt = payloadOf<contract.ExecutionReceipt>('getExecutionReceiptV2')
  const owners = many(14, (index) => hash(index).slice(0, 42))
  const crowded = {
    ...vault,
    control: { ...vault.control, owners, ownersWithCode: owners.slice(3, 5), threshold: 9 },
    attached: many(3, (place) => ({
      address: hash(place).slice(0, 42),
      codeHash: hash(place),
      name: null,
      role: (['MODULE', 'GUARD', 'FALLBACK_HANDLER'] as const)[place],
    })),
  }
  const receipts = many(7, (place) => ({
    ...receipt,
    reconciliation: (['MATCHED', 'UNREGISTERED', 'UNEXPECTED_EFFECT'] as const)[place % 3]!,
    calls: place === 1 ? null : receipt.calls,
    outcome: place === 4 ? 'FAILURE' : 'SUCCESS',
  }))
  const observed = `${hash(1)}: Safe 1.4.1, ${owners.join(', ')}`
  const checks = many(6, (place) => ({ code: 'FALLBACK_HANDLER', ok: place !== 2, observed }))
  const [net] = receipt.effects.net
  const moved = { ...receipt.effects, net: [{ ...net!, delta: `-${10n ** 77n}` }] }
  return [
    { vault: { ...crowded, checks }, receipts: many(3, () => ({ ...receipt, effects: moved })) },
    { vault, receipts: [receipt] },
    { vault: crowded, receipts },
    { vault: { ...vault, attached: [] }, receipts: [] },
    { vault, receipts: many(40, (place) => receipts[place % 7]) },
  ]
}

function passports(): object[] {
  const payload = payloadOf<{ usableDepthByTradeSize: object[] }>('getPassports')
  const { pair } = payloadOf<contract.QualifiedVault>('getQualifiedVaultV2')
  const logged = {
    leafHash: hash(1),
    leaf: { loggedAt: asOf },
    inclusion: { leafIndex: 5, treeSize: 13, path: many(4, hash) },
    checkpoint: { treeSize: 13, rootHash: hash(9) },
  }
  const way = { leafIndex: 1_234_567_890, treeSize: 2_345_678_901, path: many(31, hash) }
  const heads = [3, 5, 8, 11, 13].map((treeSize) => ({ treeSize, rootHash: hash(treeSize) }))
  const sizes = many(9, (index) => ({
    tradeSizeQuote: `${10n ** BigInt(16 + index)}`,
    buySlippagePips: 900 * (index + 1),
    sellSlippagePips: index === 8 ? 1_000_000 : 700 * (index + 1),
  }))
  return [
    { payload, pair, logged, heads },
    { payload, pair, logged: { ...logged, inclusion: way }, heads },
    { payload: { ...payload, usableDepthByTradeSize: sizes }, pair, logged: null, heads: [] },
  ]
}

function decisionPacks(): object[] {
  const record = recordOf<contract.DecisionPack>('getDecisionPack')
  const { status, payload } = record
  const [option] = payload.options
  const [row] = payload.comparison.rows
  const options = many(6, (place) => ({
    ...option!,
    optionId: `option-${place}`,
    label: `Alternative ${place}`,
    statusQuo: place === 0,
  }))
  const compared = options.map(({ optionId }, index) => ({
    ...payload.comparison.options[0]!,
    optionId,
    supportPips: index * 90_000,
    dominatedBy: index === 2 ? ['option-1', 'option-3'] : [],
  }))
  const rows = row
    ? many(30, () => ({ ...row, cells: options.map(() => row.cells[1] ?? row.cells[0]!) }))
    : []
  const comparison = { ...payload.comparison, options: compared, rows }
  const evidence = many(30, () => payload.evidence[0]!)
  return [
    { status, payload },
    { status, payload: { ...payload, options, comparison, evidence } },
    {
      status,
      payload: { ...payload, comparison: { ...comparison, rows: [] }, evidence: [], options },
    },
  ]
}

function assumptions(): object[] {
  const drawn = drawnAssumptions()
  const bare = { ...drawn.assumptions, lines: [] }
  return [drawn, { ...drawn, assumptions: bare, changes: [] }]
}

function programs(): object[] {
  const { payload } = drawnProgram
  const forecast = { ...payload.result.forecast, net: null, depthLift: null, depthLiftPips: null }
  const pilot = { ...payload.result, frontier: [], retention: null, forecast }
  const [venue, share] = [payload.baseline.venues[0], payload.result.allocation[0]]
  const baseline = { ...payload.baseline, venues: many(16, () => venue) }
  const result = { ...payload.result, allocation: many(16, () => share) }
  const [last] = drawnProgram.evaluations.slice(-1)
  const reasons = ['NO_CONTROL', 'NO_BASELINE', 'DEPTH_WAS_NOT_OBSERVED_ON_ENOUGH_DAYS']
  const unevaluated = { ...last, liftPips: null, method: null, placeboPPips: null, reasons }
  return [
    drawnProgram,
    { payload: { ...payload, result: pilot }, evaluations: [], priors: [] },
    { ...drawnProgram, payload: { ...payload, baseline, result } },
    { ...drawnProgram, evaluations: [unevaluated] },
  ]
}

/** Records of families with pictures, full ones and those that lack much. */
export const picturedRecords: Readonly<Record<string, () => object[]>> = {
  'intelligence/agent-runs': agentRuns,
  'intelligence/projects': projects,
  'intelligence/venues': () => [drawnVenue, { ...drawnVenue, observations: [] }],
  'intelligence/workflows': workflows,
  'operate/autonomy-policies': () => [payloadOf<object>('getAutonomyPolicies')],
  'operate/decision-packs': decisionPacks,
  'operate/incentive-programs': programs,
  'operate/market-maker-mandates': mandates,
  'operate/proposals': proposals,
  'operate/protected-execution': () => [
    drawnPlan({ legs: 1, others: 0, beads: 0, set: false }),
    drawnPlan({ legs: 16, others: 24, beads: 9, set: true }),
    drawnPlan({ legs: 2, others: 1, beads: 5, set: true, side: 'BUY' }),
  ],
  'operate/treasury-reconciliations': reconciliations,
  'plan/treasury-assumptions': assumptions,
  'platform/partners': partners,
  'prove/passports': passports,
  'prove/project-control': () =>
    [
      answerOf<{ proof: { status: string; payload: object } }>('acceptProjectControlProof').proof,
    ].map(({ status, payload }) => ({ status, proof: payload })),
  'prove/vaults': vaults,
}
