import type { OperatingSystemJob } from '@liquidity-os/contract'

/**
 * The last failed registration of each transaction that no later job registered.
 *
 * @param jobs registrations of a proposal, newest first
 */
export function failedRegistrations(
  jobs: readonly OperatingSystemJob[],
): readonly OperatingSystemJob[] {
  const seen = new Set<string>()
  return jobs.filter((job) => {
    const hash = transactionOf(job)
    if (hash === null || seen.has(hash)) return false
    seen.add(hash)
    return job.status === 'FAILED'
  })
}

/** Transaction that a registration names in its result or its error. */
function transactionOf({ result, error }: OperatingSystemJob): string | null {
  const text = error ? error.message : JSON.stringify(result ?? {})
  return /0x[0-9a-f]{64}/i.exec(text)?.[0].toLowerCase() ?? null
}
