import { createServer } from 'node:http'

/** The lower limit: bare node:http that returns the same bytes to everyone. */
const body = Buffer.from(process.env.FLOOR_BODY ?? '{}')
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': body.length,
  etag: process.env.FLOOR_ETAG ?? '""',
}
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
process.on('SIGTERM', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(
    `${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`,
  )
})
