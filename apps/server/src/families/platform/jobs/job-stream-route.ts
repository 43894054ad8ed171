import type { FastifyInstance } from 'fastify'
import { Failure } from '../../../failure.ts'
import { requireMember } from '../../../http/beside/member-routes.ts'
import { JobStreams } from '../../../jobs/job-streams.ts'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'

/**
 * Progress of jobs as server-sent events, for the console: what `/jobs` shows, told when it changes. It
 * stands beside the contract, as sign-in does, and ends when the session or the membership does.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function jobStreamRoute(app: FastifyInstance, services: Services): void {
  const streams = new JobStreams(services)
  let open = 0
  app.get<{ Params: { organizationId: string } }>(
    '/auth/organizations/:organizationId/job-events',
    async (request, reply) => {
      await requireMember(services, request, null)
      if (open >= limits.jobStreams) {
        throw new Failure('LIQUIDITY_RATE_LIMITED', { retryAfterSeconds: 5 })
      }
      open += 1
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
        'x-correlation-id': request.id,
      })
      raw.write(`retry: ${limits.jobStreamRetryMilliseconds}\n\n`)
      const stop = streams.listen(request.params.organizationId, (id, text) => {
        // A reader that does not keep up is cut off; it comes back and is told how things stand.
        if (raw.writableLength > limits.jobStreamBufferBytes) raw.destroy()
        else raw.write(`id: ${id}\nevent: job\ndata: ${text}\n\n`)
      })
      const stopped = setInterval(() => {
        if (services.stopping) raw.end()
      }, limits.jobStreamMilliseconds)
      const check = setInterval(() => {
        requireMember(services, request, null).then(
          () => raw.write(': still here\n\n'),
          (error) => {
            // A database that is away refuses nobody.
            if (error instanceof Failure) raw.end()
          },
        )
      }, limits.jobStreamCheckMilliseconds)
      raw.once('close', () => {
        open -= 1
        stop()
        clearInterval(stopped)
        clearInterval(check)
      })
    },
  )
}
