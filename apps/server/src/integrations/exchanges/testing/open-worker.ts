/** A process that reports an open network. */
process.send?.({ kind: 'READY', isIsolated: false })
process.on('disconnect', () => process.exit(0))
