/**
 * Edition of the fixed texts of a report, stated by the version of its draft. A report is rebuilt
 * with the texts of its edition, so its hash does not change.
 */
export type Edition = 'v1' | 'v2'

export const currentEdition: Edition = 'v2'

/** Edition in the version of a draft, such as `health-draft-v2`. */
export const editionOf = (draftVersion: string): Edition =>
  draftVersion.endsWith('-v1') ? 'v1' : 'v2'

interface Texts {
  /** Limitations of a report on the health of a market or a vault. */
  readonly health: readonly string[]
  /** Detail of the gap SCORE_OVERDUE. */
  readonly overdueScore: string
  /** Limitations of a review of a proposal. */
  readonly review: readonly string[]
  /** Limitations of every comparison of trials. */
  readonly trials: readonly string[]
  /** Limitation of a protocol without a smallest effect. */
  readonly anyDifference: string
  /** Label before an excluded part of a protocol. */
  readonly excluded: string
}

/** Sealed by earlier releases. @language-data */
const v1: Texts = {
  health: [
    'It judges the newest records of this organization; what no record holds is not looked at.',
    'Incidents are those that detectors found in what was observed.',
    'It recommends nothing.',
  ],
  overdueScore: 'The active score counts no more.',
  review: [
    'It reads what was sealed: calls as they were decoded, effects as they were simulated, and no chain.',
    'Text is held against calls by a closed list of English words, whole addresses and figures before a symbol; that nothing is found there says nothing.',
    'Whether what is proposed is wise is for people: no rule here weighs it.',
  ],
  trials: [
    'Modelled work only: paths are drawn from the models that the protocol names, and no market is assessed.',
    'All trials meet the same prices, traders and gas; what an arm does changes none of them.',
    'Intervals rest on the normal law of the mean over antithetic pairs.',
  ],
  anyDifference: 'The protocol counts every difference, however small.',
  excluded: 'Left out',
}

const v2: Texts = {
  health: [
    'The report uses only the newest records of this organization.',
    'Incidents are the anomalies that the detectors found in observed data.',
    'The report makes no recommendation.',
  ],
  overdueScore: 'The active score is past its validity.',
  review: [
    'The review uses sealed data only: decoded calls and simulated effects. It does not read the chain.',
    'It compares text and calls by a fixed list of English words, full addresses, and figures before a symbol. No finding does not mean that text and calls agree.',
    'Reviewers decide if the proposal is sensible. No rule assesses this.',
  ],
  trials: [
    'The results are simulated: paths come from the models of the protocol. No market is assessed.',
    'All trials use the same prices, traders and gas. The actions of a candidate do not change them.',
    'Intervals assume a normal distribution of the mean over antithetic pairs.',
  ],
  anyDifference: 'The protocol sets no smallest effect: every difference counts.',
  excluded: 'Excluded',
}

/** Fixed texts of reports by edition. */
export const reportTexts: Readonly<Record<Edition, Texts>> = { v1, v2 }
