import { useEffect, useState } from 'react';

const longestPauseMs = 10_000;

/** All desks, as the server sends them after each change; connects again by itself. */
export function useLiveDesks() {
  const [state, setState] = useState({ desks: [], connected: false });
  useEffect(() => {
    let socket;
    let timer;
    let pauseMs = 500;
    const connect = () => {
      socket = new WebSocket('/desks/live');
      socket.addEventListener('message', ({ data }) => {
        pauseMs = 500;
        setState({ desks: JSON.parse(data), connected: true });
      });
      socket.addEventListener('close', () => {
        setState(({ desks }) => ({ desks, connected: false }));
        timer = setTimeout(connect, pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      });
    };
    connect();
    return () => {
      clearTimeout(timer);
      socket.close();
    };
  }, []);
  return state;
}
