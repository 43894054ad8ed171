import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'

const runningOf = new WeakMap<object, Set<string>>()

/**
 * Runs a large export. An organization has one at a time per process, because an export has all its
 * rows in memory.
 *
 * @throws Failure 429 while another export of the organization runs
 */
export async function runExport<Result>(
  services: object,
  organizationId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const running = runningOf.get(services) ?? new Set()
  runningOf.set(services, running)
  if (running.has(organizationId)) {
    throw new Failure('LIQUIDITY_RATE_LIMITED', {
      message: 'Another export of this organization is running.',
      retryAfterSeconds: limits.computingRetrySeconds,
    })
  }
  running.add(organizationId)
  try {
    return await work()
  } finally {
    running.delete(organizationId)
  }
}
