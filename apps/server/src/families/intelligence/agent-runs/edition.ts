/**
 * Edition of the fixed texts of a report, stated by the version of its draft. A report is rebuilt
 * with the texts of its edition, so its hash does not change.
 */
export type Edition = 'v1' | 'v2'

export const currentEdition: Edition = 'v2'

/** Edition in the version of a draft, such as `health-draft-v2`. */
export const editionOf = (draftVersion: string): Edition =>
  draftVersion.endsWith('-v1') ? 'v1' : 'v2'

/** Limitations of a report on the health of a market or a vault. */
export const healthLimitations: Readonly<Record<Edition, readonly string[]>> = {
  v1: [
    'It judges the newest records of this organization; what no record holds is not looked at.',
    'Incidents are those that detectors found in what was observed.',
    'It recommends nothing.',
  ],
  v2: [
    'The report uses only the newest records of this organization.',
    'Incidents are the anomalies that the detectors found in observed data.',
    'The report makes no recommendation.',
  ],
}

/** Detail of the gap SCORE_OVERDUE. */
export const overdueScore: Readonly<Record<Edition, string>> = {
  v1: 'The active score counts no more.',
  v2: 'The active score is past its validity.',
}

/** Limitations of a review of a proposal. */
export const reviewLimitations: Readonly<Record<Edition, readonly string[]>> = {
  v1: [
    'It reads what was sealed: calls as they were decoded, effects as they were simulated, and no chain.',
    'Text is held against calls by a closed list of English words, whole addresses and figures before a symbol; that nothing is found there says nothing.',
    'Whether what is proposed is wise is for people: no rule here weighs it.',
  ],
  v2: [
    'The review uses sealed data only: decoded calls and simulated effects. It does not read the chain.',
    'It compares text and calls by a fixed list of English words, full addresses, and figures before a symbol. No finding does not mean that text and calls agree.',
    'Reviewers decide if the proposal is sensible. No rule assesses this.',
  ],
}

/** Limitations of every comparison of trials. */
export const trialLimitations: Readonly<Record<Edition, readonly string[]>> = {
  v1: [
    'Modelled work only: paths are drawn from the models that the protocol names, and no market is assessed.',
    'All trials meet the same prices, traders and gas; what an arm does changes none of them.',
    'Intervals rest on the normal law of the mean over antithetic pairs.',
  ],
  v2: [
    'The results are simulated: paths come from the models of the protocol. No market is assessed.',
    'All trials use the same prices, traders and gas. The actions of a candidate do not change them.',
    'Intervals assume a normal distribution of the mean over antithetic pairs.',
  ],
}

/** Limitation of a protocol without a smallest effect. */
export const anyDifference: Readonly<Record<Edition, string>> = {
  v1: 'The protocol counts every difference, however small.',
  v2: 'The protocol sets no smallest effect: every difference counts.',
}

/** Label before an excluded part of a protocol. */
export const excluded: Readonly<Record<Edition, string>> = { v1: 'Left out', v2: 'Excluded' }
