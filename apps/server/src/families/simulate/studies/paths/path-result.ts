import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { engineVersion } from '@liquidity-os/engine/version'
import { parityOf } from '../parity-of.ts'
import { type StudyResult, sealResult, seedOf, specHashOf } from '../study-hashes.ts'
import type { StudySpec } from '../validate-spec.ts'
import type { PathStatistics } from './path-statistics.ts'
import type { PathStudy } from './path-study.ts'

export interface PathEvidence {
  inputs: StudyResult['evidence']['inputs']
  blocks: StudyResult['evidence']['blocks']
  reasons: readonly string[]
  gaps: StudyResult['gaps']
}

/** The evidence of a study without source records. */
export const noEvidence: PathEvidence = { inputs: [], blocks: [], reasons: [], gaps: [] }

/** The result of a path study for its record: numbers and their inputs. */
export function pathResultOf(
  spec: StudySpec,
  study: PathStudy,
  { paths, arms, comparisons }: PathStatistics,
  { inputs, blocks, reasons, gaps }: PathEvidence = noEvidence,
): StudyResult {
  const all = [...reasons]
  if (paths.precision === 'PRECISION_NOT_REACHED') all.push('PRECISION_NOT_REACHED')
  const state = all.length > 0 ? 'PARTIAL' : 'COMPLETED'
  return sealResult({
    state,
    reasons: all,
    assessesMarketHealth: state === 'COMPLETED',
    fidelity: null,
    coverage: null,
    parity: parityOf(study.marketKind),
    startPriceX18: study.startPriceX18,
    endPriceX18: null,
    startValueQuote: study.startValueQuote,
    market: study.market,
    paths,
    calibration: study.calibration,
    arms,
    comparisons,
    feeBand: [],
    search: null,
    overfitting: null,
    seriesArtifacts: [],
    gaps: [...gaps],
    evidence: {
      engineVersion,
      engineBuildHash: engineBuildHash(),
      specHash: specHashOf(spec),
      inputs,
      blocks,
      seed: seedOf(spec),
      assumptions: study.assumptions,
      gaps: [...gaps],
    },
  })
}
