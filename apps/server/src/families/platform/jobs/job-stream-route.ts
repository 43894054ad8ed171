import { Failure } from '../../../failure.ts'
import { requireMember } from '../../../http/beside/guards.ts'
import type { Feed } from '../../../http/reply.ts'
import { besideRoute, type RouteRequest } from '../../../http/route.ts'
import { JobStreams } from '../../../jobs/job-streams.ts'
import { limits } from '../../../limits.ts'
import { isLeaving, type Services } from '../../../services.ts'

/** The streams of a service, and how many of them are read. */
interface Open {
  streams: JobStreams
  count: number
}

const openOf = new WeakMap<Services, Open>()

/**
 * Progress of jobs as server-sent events, for the console: what `/jobs` shows, told when it changes. It
 * stands beside the contract, as sign-in does, and ends when the session or the membership does.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export const jobStreamRoute = besideRoute({
  id: 'followJobs',
  method: 'GET',
  path: '/auth/organizations/{organizationId}/job-events',
  answer: async (request) => {
    await requireMember(request, null)
    const { services } = request
    const open = openOf.get(services) ?? { streams: new JobStreams(services), count: 0 }
    openOf.set(services, open)
    if (open.count >= limits.jobStreams) {
      throw new Failure('LIQUIDITY_RATE_LIMITED', { retryAfterSeconds: 5 })
    }
    return {
      status: 200,
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
      body: feedOf(open, request),
    }
  },
})

function feedOf(open: Open, request: RouteRequest<'organizationId'>): Feed {
  const { services, params } = request
  return (response) => {
    open.count += 1
    response.write(`retry: ${limits.jobStreamRetryMilliseconds}\n\n`)
    const stop = open.streams.listen(params.organizationId, (id, text) => {
      // A reader that does not keep up is cut off; it comes back and is told how things stand.
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
          // A database that is away refuses nobody.
          if (error instanceof Failure) end()
        },
      )
    }, limits.jobStreamCheckMilliseconds)
    const leave = () => {
      stop()
      clearInterval(stopped)
      clearInterval(check)
    }
    // Nothing may be written behind the end, however long the reader takes to read up to it.
    const end = () => {
      leave()
      response.end()
    }
    response.once('close', () => {
      open.count -= 1
      leave()
    })
  }
}
