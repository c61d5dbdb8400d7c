// Which step sent what a step receives. The trace names no messages, so a receive takes the oldest equal send (sender,
// receiver, type, body) that is still under way; if all have been taken (messages that stay, duplicates), the last one.
// Time linear in the messages.

import type { Message, Trace } from "./finding";

export const beforeTheRun = -1;

export interface Sent {
  message: Message;
  step: number;
  receipts: number[]; // steps that received it
}

export interface Received {
  message: Message;
  from: number; // the step that sent it, or beforeTheRun
}

export interface Matching {
  sent: Sent[][]; // by step
  received: Received[][]; // by step
}

// What a step of the network takes or repeats does not arrive.
const stays = new Set(["duplicate"]);

export function match(trace: Trace): Matching {
  const queues = new Map<string, { sends: Sent[]; head: number }>();
  const matching: Matching = { sent: [], received: [] };
  trace.steps.forEach((step, i) => {
    matching.received.push(
      step.received.map((message) => {
        const queue = queues.get(identity(message));
        if (!queue) return { message, from: beforeTheRun };
        const sent = queue.sends[Math.min(queue.head, queue.sends.length - 1)]!;
        if (!stays.has(step.kind) && queue.head < queue.sends.length) ++queue.head;
        sent.receipts.push(i);
        return { message, from: sent.step };
      }),
    );
    matching.sent.push(
      step.sent.map((message) => {
        const sent: Sent = { message, step: i, receipts: [] };
        const key = identity(message);
        const queue = queues.get(key);
        if (queue) queue.sends.push(sent);
        else queues.set(key, { sends: [sent], head: 0 });
        return sent;
      }),
    );
  });
  return matching;
}

function identity(message: Message): string {
  return `${message.from} ${message.to} ${message.type} ${JSON.stringify(message.body)}`;
}
