import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import type { Threads } from '../../../threads.ts'
import { pathResultOf } from './paths/path-result.ts'
import type { PathStudy } from './paths/path-study.ts'
import { preparePaths, runPathStudy } from './paths/run-path-study.ts'
import { type StudyResult, specHashOf } from './study-hashes.ts'
import { StudyThreads } from './study-threads.ts'
import { requireSoundSpec, type StudySpec } from './validate-spec.ts'

/**
 * Runs an inline-market study within the sandbox limits, without storage access and outside of the
 * event loop. The result is identical to that of `POST /studies`.
 *
 * @throws Failure 422 with the code of the unsuitable part; LIQUIDITY_SANDBOX_BUDGET_EXCEEDED for
 * work above the sandbox limit
 */
export async function runInlineStudy(
  threads: Threads,
  spec: StudySpec,
): Promise<{ result: StudyResult; specHash: string }> {
  requireSoundSpec(spec)
  if (!('inline' in spec.market)) {
    throw new Failure('LIQUIDITY_STUDY_INPUT_INVALID', {
      fieldErrors: { 'payload.market': ['must be inline: the sandbox reads no data'] },
    })
  }
  const steps = new StudyThreads(threads)
  const study = await preparePaths(steps, { spec, strategies: {}, observed: null })
  requireSandboxBudget(study)
  const statistics = await runPathStudy(steps, spec, study, {})
  return { result: pathResultOf(spec, study, statistics), specHash: specHashOf(spec) }
}

function requireSandboxBudget({ milliseconds, sampleBytes }: PathStudy): void {
  const { sandboxMilliseconds, sandboxSampleBytes } = limits
  if (milliseconds <= sandboxMilliseconds && sampleBytes <= sandboxSampleBytes) return
  throw new Failure('LIQUIDITY_SANDBOX_BUDGET_EXCEEDED', {
    fieldErrors: {
      payload: [
        milliseconds > sandboxMilliseconds
          ? `must take at most ${sandboxMilliseconds} ms of CPU time, estimated at ${milliseconds} ms`
          : `must store at most ${sandboxSampleBytes} bytes of samples, got ${sampleBytes}`,
      ],
    },
  })
}
