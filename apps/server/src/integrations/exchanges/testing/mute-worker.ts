/** A process that reports nothing. */
process.stdin.on('end', () => process.exit(0)).resume()
