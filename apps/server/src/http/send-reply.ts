import type { FastifyReply } from 'fastify'
import type { Reply } from './reply.ts'

/** Sends through Fastify, for what stands beside the contract. */
export function sendReply(reply: FastifyReply, { status, headers, body }: Reply): FastifyReply {
  reply.code(status).headers(headers)
  return body === null ? reply.send() : reply.send(body)
}
