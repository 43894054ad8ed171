import { Failure } from '../../../failure.ts'
import type { Feed } from '../../../http/reply.ts'
import { extraRoute, type RouteRequest } from '../../../http/route.ts'
import { requireMember } from '../../../http/routes/guards.ts'
import { JobStreams } from '../../../jobs/job-streams.ts'
import { limits } from '../../../limits.ts'
import { isLeaving } from '../../../services.ts'

interface Open {
  streams: JobStreams
  readers: Map<string, number>
}

/** Counters of open streams with their limits: whole service, user, organization. */
const streamLimitsOf = (userId: string, organizationId: string) =>
  [
    ['everybody', limits.jobStreams],
    [`user ${userId}`, limits.jobStreamsOfUser],
    [`organization ${organizationId}`, limits.jobStreamsOfOrganization],
  ] as const

function count(readers: Open['readers'], names: readonly string[], change: 1 | -1): void {
  for (const name of names) {
    const readerCount = (readers.get(name) ?? 0) + change
    if (readerCount > 0) readers.set(name, readerCount)
    else readers.delete(name)
  }
}

const openOf = new WeakMap<object, Open>()

/**
 * Job progress as server-sent events for the console, with the content of `/jobs`. Outside the API
 * contract, like sign-in. Ends with the session or membership.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export const jobStreamRoute = extraRoute({
  id: 'followJobs',
  method: 'GET',
  path: '/auth/organizations/{organizationId}/job-events',
  answer: async (request) => {
    const { userId } = await requireMember(request, null)
    const { services, params } = request
    const open = openOf.get(services) ?? { streams: new JobStreams(services), readers: new Map() }
    openOf.set(services, open)
    const streamLimits = streamLimitsOf(userId, params.organizationId)
    if (streamLimits.some(([name, max]) => (open.readers.get(name) ?? 0) >= max)) {
      throw new Failure('LIQUIDITY_RATE_LIMITED', { retryAfterSeconds: 5 })
    }
    return {
      status: 200,
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
      body: feedOf(
        open,
        request,
        streamLimits.map(([name]) => name),
      ),
    }
  },
})

function feedOf(
  open: Open,
  request: RouteRequest<'organizationId'>,
  counterNames: readonly string[],
): Feed {
  const { services, params } = request
  return (response) => {
    count(open.readers, counterNames, 1)
    response.write(`retry: ${limits.jobStreamRetryMilliseconds}\n\n`)
    const stop = open.streams.listen(params.organizationId, (id, text) => {
      // Disconnects slow readers. They reconnect and receive the current state.
      if (response.writableLength > limits.jobStreamBufferBytes) response.destroy()
      else response.write(`id: ${id}\nevent: job\ndata: ${text}\n\n`)
    })
    const stopped = setInterval(() => {
      if (isLeaving(services)) end()
    }, limits.jobStreamMilliseconds)
    const check = setInterval(() => {
      requireMember(request, null).then(
        () => {
          if (!response.writableEnded) response.write(': still here\n\n')
        },
        (error) => {
          // Only a failed membership check ends the stream; a database outage does not.
          if (error instanceof Failure) end()
        },
      )
    }, limits.jobStreamCheckMilliseconds)
    const leave = () => {
      stop()
      clearInterval(stopped)
      clearInterval(check)
    }
    // No writes after the end, even if the reader is slow.
    const end = () => {
      leave()
      response.end()
    }
    response.once('close', () => {
      count(open.readers, counterNames, -1)
      leave()
    })
  }
}
