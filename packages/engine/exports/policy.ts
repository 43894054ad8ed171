export {
  type Admission,
  type AdmissionDecision,
  decideAdmission,
  executableAuthority,
  mayResume,
  type StandingPolicy,
} from '../src/policy/admission.ts'
export { grammarVersion, readPolicyText } from '../src/policy/grammar.ts'
export type {
  FieldValue,
  GrammarContext,
  NamedToken,
  ReadField,
  ReadText,
  RefusalCode,
  Refused,
} from '../src/policy/grammar-types.ts'
export {
  additionSlippagePips,
  liquiditySlippagePips,
  type PairShare,
  type PositionAtMid,
  redeemedAtMid,
  type TokenPair,
  withdrawnAtMid,
} from '../src/policy/liquidity-slippage.ts'
export {
  compareTerms,
  type FieldComparison,
  grantsNoMore,
  meetTerms,
  type Relation,
  type TermsComparison,
} from '../src/policy/order.ts'
export {
  type JudgedProposal,
  type Proposal,
  type ReadProposals,
  readableStatements,
  readProposals,
} from '../src/policy/proposed.ts'
export { restateTerms } from '../src/policy/restate.ts'
export {
  type ActionFacts,
  judgeAction,
  type Route,
  type RuleOutcome,
  type RuleVerdict,
  verdictOf,
} from '../src/policy/rules.ts'
export { type Changeable, type Fix, smallestFix } from '../src/policy/smallest-fix.ts'
export {
  bottomTerms,
  greatestPriceX18,
  isExecutable,
  normalTerms,
  type PolicyField,
  type PolicyTerms,
} from '../src/policy/terms.ts'
