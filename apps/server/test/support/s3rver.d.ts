/** The package has no types; these are the parts that are used. */
declare module 's3rver' {
  import type { IncomingMessage } from 'node:http'

  type Middleware = (context: { req: IncomingMessage }, next: () => Promise<void>) => Promise<void>

  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string; configs: string[] }[]
    })
    readonly middleware: Middleware[]
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
